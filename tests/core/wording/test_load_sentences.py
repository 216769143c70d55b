from __future__ import annotations

import numpy as np
from support.builders import random_dataset

from latconf_core.data.table_load import measure_load
from latconf_core.wording.load_sentences import load_sentences


def test_that_variables_of_many_states_are_named_and_only_large_tables_are_heavy() -> None:
    rng = np.random.default_rng(0)
    small = measure_load(random_dataset(rng, 50, (12, 2, 3)))
    assert (small.many_states, small.is_heavy) == (("A",), False)
    raw = measure_load(random_dataset(rng, 50, (12, 11, 10) + (2,) * 28))
    assert (raw.many_states, raw.is_heavy) == (("A", "B"), True)
    assert "A and B have more than 10 states" in " ".join(load_sentences(raw))
    assert not measure_load(random_dataset(rng, 50, (4,) * 37)).is_heavy
    assert measure_load(random_dataset(rng, 50, (2,) * 61)).is_heavy
