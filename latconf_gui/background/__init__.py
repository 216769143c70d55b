"""Work beside the window: the only QThread, the runs under way, the latest job, garbage, warm-up.

Knows the core's RunControl and events.
Must not know what is computed, nor any widget.
"""
