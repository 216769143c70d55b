"""Other shapes of a latent that is there: begun anew, parted into two, polished, with all edges chosen again around it.

Knows what Refine scores and climbs with. Must not know which latents are put in, or how they are judged.
"""
