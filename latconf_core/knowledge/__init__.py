"""What the user says about causes before any data: tiers, edges, hidden causes; checked, bound to columns, as JSON.

Knows names and bit masks: a learner or a search asks its bound form before it adds an edge or a latent.
Must not know data, nor how anything is learned, searched or drawn.
"""
