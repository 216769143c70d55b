"""Table files in and out: detect how a file is written, read it to a raw table, write a data set.

Knows files and the formats of tables; the only room that uses pandas.
Must not know what the user chooses to do with the columns.
"""
