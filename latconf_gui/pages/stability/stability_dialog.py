"""The dialog of "Stability…": how many samples, how far it is, and what came back as tables."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton, QTabWidget, QVBoxLayout, QWidget

from latconf_core.options.resampling import DEFAULT_SAMPLES, Resampling, StabilityOptions
from latconf_core.phrases import counted, duration, first_upper, rough_duration
from latconf_core.stability.shares import LatentShare, PairShare
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.stability_words import MEANING, explanations, headline, least_stable, remarks
from latconf_gui.pages.repeats.repeat_dialog import MOST_OF_SCREEN, RepeatDialog
from latconf_gui.pages.stability.share_tables import LATENT_COLUMNS, PAIR_COLUMNS, ShareTable
from latconf_gui.pages.stability.stability_job import StabilityJob
from latconf_gui.widgets.form_fields import Choice, Whole

KINDS: dict[str, str] = {
    "half": "Half of the rows, without replacement",
    "bootstrap": "As many rows, with replacement (bootstrap)",
}
MOST_SAMPLES, MOST_SEED = 10_000, 2**31 - 1
FIRST_LETTERS, FIRST_LINES = 120, 42  # the first size of the dialog
Rows = Sequence[PairShare | LatentShare]
NOTHING_YET = "Not run yet."


class StabilityDialog(RepeatDialog):
    """`start_asked(StabilityOptions)`, `cancel_asked()`, `shown_asked()`: draw the shares; it runs nothing itself."""

    start_asked = Signal(object)
    shown_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Stability", MEANING, parent)
        self._job: StabilityJob | None = None
        self.samples, self.seed = Whole(1, MOST_SAMPLES, step=10), Whole(0, MOST_SEED)
        self.kind = Choice(KINDS)
        self.samples.fill(DEFAULT_SAMPLES)
        self.said = QLabel()
        self.tabs = QTabWidget()
        self.latents = ShareTable(LATENT_COLUMNS, "Hidden causes in samples")
        self.dag_edges = ShareTable(PAIR_COLUMNS, "Edges of the model in samples")
        self.pag_edges = ShareTable(PAIR_COLUMNS, "Edges of the PAG in samples")
        self.draw = QPushButton("Show in the &drawing")
        self._build()
        self.show_stability(None)
        metrics = self.fontMetrics()
        wanted = QSize(metrics.averageCharWidth() * FIRST_LETTERS, metrics.height() * FIRST_LINES)
        self.resize(wanted.boundedTo(self.screen().availableSize() * MOST_OF_SCREEN))

    def _build(self) -> None:
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.draw.setAutoDefault(False)
        self.draw.setToolTip("Thickness and a number on every edge; turn it off in the View menu")
        self.buttons.addButton(self.draw, QDialogButtonBox.ButtonRole.ActionRole)
        tables = QWidget()  # takes the room while there are no tables, so that the form stays together
        inside = QVBoxLayout(tables)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.tabs)
        fields: list[tuple[str, QWidget, str]] = [
            ("Samples", self.samples, "Number of repetitions; 50 give shares to within about ± 14 %"),
            ("Rows per sample", self.kind, "Bootstrap samples repeat rows, which can look like hidden causes"),
            ("Seed", self.seed, "The same seed gives the same samples and the same shares"),
        ]
        layout = self.put_together(fields, [self.said, tables], things="samples")
        layout.setStretchFactor(tables, 1)
        self.start.clicked.connect(self._on_start)
        self.draw.clicked.connect(self.shown_asked)
        for field in (self.samples, self.workers):
            field.valueChanged.connect(self._show_estimate)

    def show_job(self, job: StabilityJob) -> None:
        """What a start would repeat."""
        self._job = job
        self.title.setText(f"Stability of {job.title}")
        self.text.setText(job.text)
        self._show_estimate()

    def _show_estimate(self) -> None:
        """How long a start would take."""
        options = self.options()
        seconds = None if options is None or self._job is None else self._job.estimate(options)
        self.estimate.setVisible(seconds is not None)
        if options is not None and seconds is not None and self._job is not None:
            once = duration(self._job.seconds or 0.0)
            samples, cores = counted(options.samples, "sample"), counted(options.workers, "core")
            about = first_upper(rough_duration(seconds))
            self.estimate.setText(f"{about}: {samples} on {cores}; all rows took {once}.")

    def options(self) -> StabilityOptions | None:
        """What the form says about the job that is shown; None where there is none."""
        if self._job is None:
            return None
        kind: Resampling = "bootstrap" if self.kind.read() == "bootstrap" else "half"
        return StabilityOptions(
            samples=self.samples.read(),
            resampling=kind,
            learner=self._job.learner,
            search=self._job.search,
            search_options=self._job.search_options,
            seed=self.seed.read(),
            workers=self.workers.read(),
        )

    def _on_start(self) -> None:
        options = self.options()
        if options is not None:
            self.start_asked.emit(options)

    def show_stability(self, stability: Stability | None) -> None:
        """What came of the samples; None where nothing was repeated."""
        self.draw.setEnabled(stability is not None and stability.n_samples > 0)
        while self.tabs.count():
            self.tabs.removeTab(0)
        if stability is None:
            self.said.setText(NOTHING_YET)
            self.tabs.hide()
            return
        lines = [headline(stability), *remarks(stability)]
        self.said.setText("\n".join(f"{line[:1].upper()}{line[1:]}." for line in lines))
        self.meaning.setText(" ".join(explanations(stability)))
        for title, table, rows in self._tables(stability):
            table.show_rows(rows)
            self.tabs.addTab(table, f"{title} ({len(rows):,})")
        self.tabs.setVisible(stability.n_samples > 0)

    def _tables(self, stability: Stability) -> list[tuple[str, ShareTable, Rows]]:
        tables: list[tuple[str, ShareTable, Rows]] = []
        if stability.options.search is not None:
            tables.append(("Hidden causes", self.latents, [*stability.latents, *stability.new_latents]))
            tables.append(("Edges of the model", self.dag_edges, least_stable(stability.dag_pairs)))
        if stability.options.learner is not None:
            tables.append(("Edges of the PAG", self.pag_edges, least_stable(stability.pag_pairs)))
        return tables
