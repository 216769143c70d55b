"""Every reader against damaged and hostile files: what it may do is read, or say in a sentence why not."""
