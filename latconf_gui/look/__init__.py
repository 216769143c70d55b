"""How the program looks: colours, style, icons, light and dark; the only place where colours are named.

Knows the palette and the settings.
Must not know any page or drawing.
"""
