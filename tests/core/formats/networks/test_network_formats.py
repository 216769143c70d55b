from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.formats.examples import example_names, load_example
from latconf_core.formats.graphs.registry import read_dag
from latconf_core.formats.networks.registry import NETWORK_FORMATS, holds_network, read_network, write_network
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

FORMATS = [network_format.name for network_format in NETWORK_FORMATS]
ENDINGS = {network_format.name: network_format.extensions[0] for network_format in NETWORK_FORMATS}
SMALL = ("asia", "cancer", "sachs")
EXAMPLES = [pytest.param(name, marks=() if name in SMALL else pytest.mark.exhaustive) for name in example_names()]
ODD_NAMES = ["rentalIncomeLoss%", "a b", "Größe (cm)", "<b>x</b>", "1st", "node x", "a;b", 'say "hi"', "%", " "]
ODD_STATES = [
    "<25k",
    "10-15k",
    "4+",
    "'2-3\\%'",
    'quoted "state"',
    "a, b",
    "(x)",
    "ja / nein",
    "tab\there",
    "\N{SNOWMAN}",
]


def odd_network() -> BayesNet:
    """Names and states that most formats cannot hold; every variable has the one before as its parent."""
    rng = np.random.default_rng(5)
    cpts = []
    for i, name in enumerate(ODD_NAMES):
        parents = ODD_NAMES[max(0, i - 2) : i]
        shape = (*(len(ODD_STATES) - 7 for _ in parents), len(ODD_STATES) - 7)
        table = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        states = [ODD_STATES[(i + k) % len(ODD_STATES)] for k in range(shape[-1])]
        cpts.append(Cpt(name, states, parents, table))
    return BayesNet(cpts, name="an odd <network>", latents=["1st"])


@pytest.fixture(scope="module")
def learned() -> BayesNet:
    """A model with a latent of three states."""
    rng = np.random.default_rng(1)
    data = Dataset(["A", "B", "C"], [("no", "yes")] * 3, rng.integers(2, size=(60, 3)))
    dag = LatentDag(data.names, [("A", "C")], [Latent("L1", 3, ("B", "C"))])
    return Scorer(data, VbemOptions()).posterior(dag).network()


def assert_same_tables(found: BayesNet, wanted: BayesNet) -> None:
    assert set(found.variables) == set(wanted.variables)
    assert found.latents == wanted.latents
    assert found.name == wanted.name
    for name, cpt in wanted.cpts.items():
        own = found.cpts[name]
        assert own.states == cpt.states
        assert own.parents == cpt.parents
        np.testing.assert_allclose(own.table, cpt.table, atol=1e-12)  # every digit is written


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_that_every_example_comes_back_from_every_format(name: str, example: str, tmp_path: Path) -> None:
    network = load_example(example)
    path = tmp_path / f"n{ENDINGS[name]}"
    write_network(network, path)
    assert_same_tables(read_network(path), network)
    first = path.read_bytes()
    write_network(read_network(path), path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("name", FORMATS)
def test_that_a_model_with_a_latent_and_a_network_of_odd_names_come_back(
    name: str, learned: BayesNet, tmp_path: Path
) -> None:
    path = tmp_path / f"n{ENDINGS[name]}"
    for network in (learned, odd_network()):
        changed = write_network(network, path)
        assert_same_tables(read_network(path), network)
        assert all(written != real for written, real in changed.items())
    assert (not changed) == (name == "json")


@pytest.mark.parametrize("name", FORMATS)
def test_that_the_dag_of_a_model_is_read_where_a_graph_is_asked_for(
    name: str, learned: BayesNet, tmp_path: Path
) -> None:
    path = tmp_path / f"n{ENDINGS[name]}"
    write_network(learned, path)
    assert holds_network(path)
    dag = read_dag(path)
    assert dag.edges == (("A", "C"),)
    assert [(latent.name, latent.n_states, latent.children) for latent in dag.latents] == [("L1", 3, ("B", "C"))]


def pgmpy_tables(path: Path, name: str) -> dict[str, np.ndarray]:
    from pgmpy import readwrite

    reader = {
        "bif": readwrite.BIFReader,
        "xmlbif": readwrite.XMLBIFReader,
        "xdsl": readwrite.XDSLReader,
        "net": readwrite.NETReader,
    }[name]
    model = reader(str(path)).get_model()
    found = {}
    for cpd in model.get_cpds():
        values = np.asarray(cpd.values)
        assert cpd.variables[0] == cpd.variable
        labels = [[str(state) for state in cpd.state_names[variable]] for variable in cpd.variables]
        found[cpd.variable] = {
            tuple(zip(cpd.variables, (label[i] for label, i in zip(labels, index)))): float(values[index])
            for index in np.ndindex(*values.shape)
        }
    return {name: {frozenset(key): value for key, value in entry.items()} for name, entry in found.items()}


def our_tables(network: BayesNet) -> dict[str, dict[frozenset[tuple[str, str]], float]]:
    """The probability of every state given every configuration, by labels."""
    tables = {}
    for name, cpt in network.cpts.items():
        variables = (*cpt.parents, name)
        own = {}
        for index in np.ndindex(*cpt.table.shape):
            labels = ((variable, network.states(variable)[i]) for variable, i in zip(variables, index))
            own[frozenset(labels)] = float(cpt.table[index])
        tables[name] = own
    return tables


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["bif", "xmlbif", "xdsl", "net"])
@pytest.mark.parametrize("example", EXAMPLES)
def test_that_pgmpy_reads_the_same_tables(name: str, example: str, tmp_path: Path) -> None:
    network = load_example(example)
    path = tmp_path / f"n{ENDINGS[name]}"
    changed = write_network(network, path)
    assert not changed or name in ("xdsl", "net")
    tables = pgmpy_tables(path, name)
    wanted = our_tables(network)
    assert set(tables) == set(wanted)
    for variable, entry in wanted.items():
        theirs = {
            frozenset((v, changed.get(state, state)) for v, state in key): value
            for key, value in tables[variable].items()
        }
        assert set(theirs) == set(entry), variable
        assert max(abs(theirs[key] - value) for key, value in entry.items()) < 1e-9


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["bif", "xmlbif", "net"])
def test_that_pyagrum_reads_the_same_tables(name: str, learned: BayesNet, tmp_path: Path) -> None:
    gum = pytest.importorskip("pyagrum")
    for network in (load_example("asia"), load_example("sachs"), learned):
        path = tmp_path / f"n{'.bifxml' if name == 'xmlbif' else ENDINGS[name]}"
        write_network(network, path)
        theirs = gum.loadBN(str(path))
        assert set(theirs.names()) == set(network.variables)
        for variable, our_table in our_tables(network).items():
            table = theirs.cpt(variable)
            for labels, value in our_table.items():
                assert abs(table[dict(labels)] - value) < 1e-6  # pyAgrum rounds some tables to single precision


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["bif", "xmlbif", "xdsl", "net"])
def test_that_what_pgmpy_writes_is_read(name: str, tmp_path: Path) -> None:
    from pgmpy import readwrite

    network = load_example("asia")
    write_network(network, tmp_path / "asia.bif")
    model = readwrite.BIFReader(str(tmp_path / "asia.bif")).get_model()
    path = tmp_path / f"theirs{ENDINGS[name]}"
    writer = {
        "bif": readwrite.BIFWriter,
        "xmlbif": readwrite.XMLBIFWriter,
        "xdsl": readwrite.XDSLWriter,
        "net": readwrite.NETWriter,
    }[name](model)
    writer.write(str(path))
    found, wanted = our_tables(read_network(path)), our_tables(network)
    for variable, entry in wanted.items():
        assert max(abs(found[variable][key] - value) for key, value in entry.items()) < 1e-4  # they may round


BAD = {
    "xmlbif": [
        ("<BIF>", "not XML"),
        ("<a/>", "NETWORK"),
        ('<!DOCTYPE x [<!ENTITY e "x">]><BIF><NETWORK/></BIF>', "entities"),
        ("<BIF><NETWORK><VARIABLE><NAME>A</NAME><OUTCOME>x</OUTCOME></VARIABLE></NETWORK></BIF>", "'A' has no"),
        (
            "<BIF><NETWORK><VARIABLE><NAME>A</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>"
            "<DEFINITION><FOR>A</FOR><TABLE>0.5 0.1</TABLE></DEFINITION></NETWORK></BIF>",
            "sums to 0.6",
        ),
    ],
    "xdsl": [
        ("<smile>", "not XML"),
        ("<!DOCTYPE smile><smile/>", "document type"),
        ("<smile><nodes/></smile>", "no variable"),
        ("<smile><nodes><noisymax id='A'/></nodes></smile>", "'A' is a node of the kind 'noisymax'"),
        (
            "<smile><nodes><cpt id='A'><state id='x'/><parents>Q</parents><probabilities>1</probabilities></cpt>"
            "</nodes></smile>",
            "'Q', which is not declared",
        ),
    ],
    "net": [
        ("hello", "expected 'net'"),
        ("node A {", "ends in the middle"),
        ('node A { states = ("x" "y"); }', "'A' has no potential"),
        ("utility U { }", "utility"),
        ('node A { states = ("x" "y"); } potential (A |) { data = (0.5 0.5 0.5); }', "needs 2 numbers, found 3"),
        ('node A { states = ("x" "x"); } potential (A |) { data = (0.5 0.5); }', "different states"),
    ],
}


@pytest.mark.parametrize(("name", "text", "said"), [(name, *one) for name, value in BAD.items() for one in value])
def test_that_a_damaged_file_is_refused_with_its_name(name: str, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / f"bad{ENDINGS[name]}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=said) as raised:
        read_network(path)
    assert raised.value.path == path


@pytest.mark.parametrize("name", ["xmlbif", "xdsl", "net"])
def test_that_a_table_of_too_many_parents_is_refused_before_it_is_made(name: str, tmp_path: Path) -> None:
    names = [f"v{i}" for i in range(41)]
    net = "".join(f'node {v} {{ states = ("a" "b"); }}\npotential ({v} |) {{ data = (0.5 0.5); }}\n' for v in names[1:])
    net += f'node v0 {{ states = ("a" "b"); }}\npotential (v0 | {" ".join(names[1:])}) {{ data = (0.5 0.5); }}\n'
    xdsl = "".join(
        f"<cpt id='{v}'><state id='a'/><state id='b'/>"
        f"<parents>{' '.join(names[1:]) if v == 'v0' else ''}</parents><probabilities>0.5 0.5</probabilities></cpt>"
        for v in names
    )
    xmlbif = "".join(
        f"<VARIABLE><NAME>{v}</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE><DEFINITION><FOR>{v}</FOR>"
        + "".join(f"<GIVEN>{p}</GIVEN>" for p in names[1:] if v == "v0")
        + "<TABLE>0.5 0.5</TABLE></DEFINITION>"
        for v in names
    )
    text = {
        "net": net,
        "xdsl": f"<smile><nodes>{xdsl}</nodes></smile>",
        "xmlbif": f"<BIF><NETWORK><NAME>n</NAME>{xmlbif}</NETWORK></BIF>",
    }[name]
    path = tmp_path / f"large{ENDINGS[name]}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match="'v0' with 40 parents would be too large"):
        read_network(path)


def test_that_a_deterministic_node_of_genie_becomes_a_table(tmp_path: Path) -> None:
    path = tmp_path / "d.xdsl"
    path.write_text(
        "<smile id='d'><nodes><cpt id='A'><state id='x'/><state id='y'/><probabilities>0.3 0.7</probabilities></cpt>"
        "<deterministic id='B'><state id='p'/><state id='q'/><parents>A</parents>"
        "<resultingstates>q p</resultingstates></deterministic></nodes></smile>",
        encoding="utf-8",
    )
    np.testing.assert_array_equal(read_network(path).cpts["B"].table, [[0, 1], [1, 0]])


def test_that_a_name_without_a_known_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"known extensions are .*\.xdsl"):
        write_network(load_example("asia"), tmp_path / "model.xyz")
