"""Shows a drawing as items and tells what a person asks for; it never changes a graph itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsSceneContextMenuEvent,
    QGraphicsSceneMouseEvent,
)

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.content.graph_drawing import (
    Beliefs,
    Drawing,
    DrawnNode,
    Pair,
    Positions,
    drawing_of_dag,
    drawing_of_graph,
)
from latconf_gui.drawing.geometry.edge_ends import obstacle_boxes
from latconf_gui.drawing.geometry.free_places import place_beside
from latconf_gui.drawing.gestures import ClickMark, DrawEdge, Gesture, MoveNodes
from latconf_gui.drawing.items.edge_item import EdgeItem, spread_numbers
from latconf_gui.drawing.items.mark_item import MarkItem
from latconf_gui.drawing.items.node_item import NodeItem, node_size
from latconf_gui.look.colours import Colours, Highlight

MARGIN = 14.0
MANY = 150  # nodes of a graph whose drawing takes longer than a frame
GRID = (150.0, 70.0)  # for nodes that have no position yet


class GraphScene(QGraphicsScene):
    """Nodes and edges of one drawing.

    Signals say what was asked for: a click on the mark that is already chosen (`mark_clicked`), a line from node to
    node (`edge_drawn`), nodes dragged elsewhere (`nodes_moved`, name → centre), a menu (`menu_requested`, the item
    under the mouse or None, and where on the screen), a double click on free ground or a node.
    """

    mark_clicked = Signal(str, str)
    edge_drawn = Signal(str, str)
    nodes_moved = Signal(object)
    menu_requested = Signal(object, object)
    ground_double_clicked = Signal(QPointF)
    node_double_clicked = Signal(str)
    active_end_changed = Signal()

    def __init__(self, parent: QObject | None = None, *, is_editable: bool = True) -> None:
        super().__init__(parent)
        self.is_editable = is_editable
        self.draws_edges = False
        self.is_overview = False  # marks and labels are left out
        self._is_tiny = False  # marks and labels are too small to be read
        self.colours = Colours.from_palette(QGuiApplication.palette())
        self.drawing = Drawing()
        self._nodes: dict[str, NodeItem] = {}
        self._edges: dict[Pair, EdgeItem] = {}
        self._is_placing = False
        self._gesture: Gesture | None = None
        self._has_moved = False  # whether the mouse has, since it was pressed
        self.setBackgroundBrush(self.colours.canvas)
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)

    # What is shown -------------------------------------------------------------------------------

    def show_graph(self, graph: MixedGraph, positions: Positions) -> None:
        """Show a PAG or MAG."""
        self.show_drawing(drawing_of_graph(graph), positions)

    def show_dag(self, dag: LatentDag, positions: Positions) -> None:
        """Show a DAG with latents."""
        self.show_drawing(drawing_of_dag(dag), positions)

    def show_drawing(self, drawing: Drawing, positions: Positions, *, keeps_extent: bool = False) -> None:
        """Show a drawing; items of nodes and edges that stay are kept, and so is the selection.

        keeps_extent : the scene does not become smaller, so that a view of it stays as it is
        """
        self.drawing = drawing
        before = self.sceneRect() if keeps_extent else QRectF()
        selected, nodes = (self.selected_nodes(), self.selected_pairs()), set(self._nodes)
        was_blocked = self.blockSignals(True)  # nobody is to look while old and new items stand side by side
        changed = self._exchange_items(drawing)
        self.blockSignals(was_blocked)
        self.set_tiny(self._is_tiny)
        spots = self._spots(drawing, positions)
        if spots == self.positions() and nodes == set(self._nodes):
            self._place_edges(changed)
        else:
            self._move_nodes(spots)
            self._update_extent(before)
        if (self.selected_nodes(), self.selected_pairs()) != selected:
            self.selectionChanged.emit()

    def _exchange_items(self, drawing: Drawing) -> list[EdgeItem]:
        """Add, change and remove items; the edges that have to be led anew."""
        self._keep_edges(drawing.by_pair.keys())
        before = self.sizes()
        self._show_nodes(drawing.nodes)
        resized = {name for name, size in self.sizes().items() if before.get(name, size) != size}
        changed = []
        for pair, drawn in drawing.by_pair.items():
            item = self._edges.get(pair)
            if item is not None and item.drawn == drawn:
                changed += [item] if resized & pair else []
                continue
            if item is None:
                ends = (self._nodes[drawn.edge.first], self._nodes[drawn.edge.second])
                item = self._edges[pair] = EdgeItem(self, drawn, ends)
                self.addItem(item)
            else:
                item.show_edge(drawn)
            changed.append(item)
        return changed

    def _keep_edges(self, pairs: Collection[Pair]) -> None:
        for pair in [pair for pair in self._edges if pair not in pairs]:
            self.removeItem(self._edges.pop(pair))

    def _show_nodes(self, nodes: Iterable[DrawnNode]) -> None:
        shown = {node.name: node for node in nodes}
        for name in [name for name in self._nodes if name not in shown]:
            self.removeItem(self._nodes.pop(name))
        for name, node in shown.items():
            if name in self._nodes:
                self._nodes[name].show_node(node)
            else:
                self._nodes[name] = NodeItem(self, node)
                self._nodes[name].setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable, self.is_editable)
                self.addItem(self._nodes[name])

    def _spots(self, drawing: Drawing, positions: Positions) -> dict[str, tuple[float, float]]:
        """Where each node goes; one without a position to free ground."""
        known = {name: positions[name] for name in drawing.names if name in positions}
        rest = [name for name in drawing.names if name not in known]
        new = {name: ((i % 6) * GRID[0], (i // 6) * GRID[1]) for i, name in enumerate(rest)}
        placed = {**known, **place_beside(new, known, self.sizes())}
        return {name: placed[name] for name in drawing.names}

    def free_place(self, node: DrawnNode, wanted: tuple[float, float]) -> tuple[float, float]:
        """The place nearest to the wanted one where a new node covers no other."""
        sizes = {**self.sizes(), node.name: node_size(node)}
        return place_beside({node.name: wanted}, self.positions(), sizes)[node.name]

    def place_nodes(self, positions: Positions) -> None:
        """Put nodes at these centres and lead every edge anew."""
        self._move_nodes(positions)
        self._update_extent()

    def _move_nodes(self, positions: Positions) -> None:
        self._is_placing = True
        for name, spot in positions.items():
            if name in self._nodes:
                self._nodes[name].setPos(*spot)
        self._is_placing = False
        self._place_edges(self._edges.values())

    def positions(self) -> dict[str, tuple[float, float]]:
        """The centre of every node."""
        return {name: (item.pos().x(), item.pos().y()) for name, item in self._nodes.items()}

    def sizes(self) -> dict[str, tuple[float, float]]:
        """Width and height of every node."""
        return {name: (item.box().width(), item.box().height()) for name, item in self._nodes.items()}

    def node_item_moved(self, item: NodeItem) -> None:
        """Lead the edges of a node that was dragged."""
        if not self._is_placing:
            self._place_edges([edge for pair, edge in self._edges.items() if item.name in pair])

    def _place_edges(self, edges: Iterable[EdgeItem]) -> None:
        items = self._nodes.values()
        table = obstacle_boxes([item.outline() for item in items])
        passing = np.array([item.node.is_latent for item in items], dtype=np.bool_)
        row = {name: i for i, name in enumerate(self._nodes)}
        for edge in edges:
            others = np.ones(len(row), dtype=np.bool_)
            others[[row[name] for name in edge.pair]] = False
            edge.place(table[others], passing[others])
        if self.drawing.has_shares:
            spread_numbers(self._edges.values(), [item.scene_box() for item in items])

    def _update_extent(self, at_least: QRectF | None = None) -> None:
        needed = self.extent().adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
        self.setSceneRect(needed if at_least is None else needed.united(at_least))

    def shrink_extent(self) -> None:
        """Forget room that an earlier drawing needed."""
        self._update_extent()

    def extent(self) -> QRectF:
        """The rectangle around all nodes and edges."""
        return _united(self._nodes.values(), self._edges.values())

    def focuses(self) -> list[QRectF]:
        """What to look at where not all can be seen, most first: all latents with their edges, one, or it alone."""
        latents = [node.name for node in self.drawing.nodes if node.is_latent]
        if not latents:
            return [self.extent()]
        return [self._around(latents), self._around(latents[:1]), self._nodes[latents[0]].scene_box()]

    def _around(self, names: Collection[str]) -> QRectF:
        """The rectangle around the edges of these nodes and both ends of each."""
        edges = [edge for pair, edge in self._edges.items() if not pair.isdisjoint(names)]
        return _united([self._nodes[name] for edge in edges for name in edge.pair], edges)

    def set_colours(self, colours: Colours) -> None:
        """Change the colours."""
        self.colours = colours
        self.setBackgroundBrush(colours.canvas)
        for item in self.items():
            item.update()

    def set_tiny(self, is_tiny: bool) -> None:
        """Marks and labels are too small to be read, or no longer: of a large graph they are not drawn then."""
        self._is_tiny = is_tiny
        self.set_overview(is_tiny and len(self._nodes) > MANY)

    def set_overview(self, is_overview: bool) -> None:
        """Leave out marks and labels, or draw them again."""
        if is_overview != self.is_overview:
            self.is_overview = is_overview
            for item in self._edges.values():
                item.show_marks(not is_overview)

    def set_editable(self, is_editable: bool) -> None:
        """Allow or refuse drags and clicks on marks."""
        self.is_editable = is_editable
        for item in self._nodes.values():
            item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable, is_editable)

    # What stands out ------------------------------------------------------------------------------

    def set_highlights(self, highlights: Mapping[Pair, Highlight]) -> None:
        """Make these edges stand out, and no others."""
        for pair, item in self._edges.items():
            item.set_highlight(highlights.get(pair, Highlight.NONE))

    def set_given(self, names: Collection[str]) -> None:
        """Draw these nodes as conditioned on, and no others."""
        for name, item in self._nodes.items():
            item.set_given(name in names)

    def set_found(self, names: Collection[str]) -> None:
        """Draw these nodes as found, and no others."""
        for name, item in self._nodes.items():
            item.set_found(name in names)

    def show_beliefs(self, beliefs: Mapping[str, Beliefs]) -> None:
        """Fill the bars of these nodes, and empty all others."""
        for name, item in self._nodes.items():
            item.show_beliefs(beliefs.get(name))

    def mark_target(self, target: NodeItem | None) -> None:
        """Show where a line that is being drawn would end."""
        self.set_found(() if target is None else (target.name,))

    # Items and selection --------------------------------------------------------------------------

    def node_item(self, name: str) -> NodeItem:
        return self._nodes[name]

    def edge_item(self, first: str, second: str) -> EdgeItem:
        return self._edges[frozenset((first, second))]

    def node_items(self) -> list[NodeItem]:
        return list(self._nodes.values())

    def edge_items(self) -> list[EdgeItem]:
        return list(self._edges.values())

    def node_at(self, point: QPointF) -> NodeItem | None:
        """The node at a place of the scene."""
        return next((item for item in self.items(point) if isinstance(item, NodeItem)), None)

    def selected_nodes(self) -> list[str]:
        return [name for name, item in self._nodes.items() if item.isSelected()]

    def selected_pairs(self) -> list[Pair]:
        return [pair for pair, item in self._edges.items() if item.isSelected()]

    def select_edge(self, first: str, second: str, end: str | None = None) -> None:
        """Select one edge, and the end whose mark the keys change."""
        self.clearSelection()
        item = self.edge_item(first, second)
        item.set_active_end(end or second)
        item.setSelected(True)

    def is_chosen(self, mark: MarkItem) -> bool:
        """Whether this mark's edge alone is selected, and this end of it is the active one."""
        return self.selected_pairs() == [mark.edge_item.pair] and mark.edge_item.active_end == mark.node

    def select_nodes(self, names: Collection[str]) -> None:
        """Select these nodes, and nothing else."""
        self.clearSelection()
        for name in names:
            self._nodes[name].setSelected(True)

    # Mouse and keys -------------------------------------------------------------------------------

    def _gesture_for(self, event: QGraphicsSceneMouseEvent) -> Gesture | None:
        if event.button() != Qt.MouseButton.LeftButton:
            return None
        point = event.scenePos()
        top = next(iter(self.items(point)), None)
        wants_edge = self.draws_edges or bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if isinstance(top, MarkItem):
            return ClickMark(self, top, point)
        if isinstance(top, NodeItem) and self.is_editable:
            return DrawEdge(self, top) if wants_edge else MoveNodes(self)
        return None

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        self._gesture = self._gesture_for(event)
        self._has_moved = False
        if self._gesture is None or self._gesture.uses_default:
            super().mousePressEvent(event)
            self._choose_end(event.scenePos())
        else:
            event.accept()

    def _choose_end(self, point: QPointF) -> None:
        """A press on a line takes its nearer end as the active one."""
        item = next(iter(self.items(point)), None)
        if isinstance(item, EdgeItem) and item.isSelected():
            marks = item.mark_items.values()
            near = min(marks, key=lambda mark: (mark.middle - point).manhattanLength())
            item.set_active_end(near.node)

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        if self._gesture is not None:
            self._gesture.move(event.scenePos())
        if self._gesture is None or (self._gesture.uses_default and self._is_dragged(event)):
            super().mouseMoveEvent(event)

    def _is_dragged(self, event: QGraphicsSceneMouseEvent) -> bool:
        """Whether the hand has moved since the press: the view also tells a move where only the drawing has moved."""
        moved = event.screenPos() - event.buttonDownScreenPos(Qt.MouseButton.LeftButton)
        self._has_moved = self._has_moved or moved.manhattanLength() >= QApplication.startDragDistance() // 2
        return self._has_moved

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is None or gesture.uses_default:
            super().mouseReleaseEvent(event)
        if gesture is not None:
            event.accept()
            gesture.release(event.scenePos())

    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        top = next(iter(self.items(event.scenePos())), None)
        if isinstance(top, MarkItem):
            self.mousePressEvent(event)  # two quick clicks are two clicks
        elif isinstance(top, NodeItem):
            self.node_double_clicked.emit(top.name)
        elif top is None:
            self.ground_double_clicked.emit(event.scenePos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._gesture is not None:
            self._gesture.cancel()
            self._gesture = None
            if (grabber := self.mouseGrabberItem()) is not None:
                grabber.ungrabMouse()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QGraphicsSceneContextMenuEvent) -> None:
        top = next(iter(self.items(event.scenePos())), None)
        if isinstance(top, MarkItem):
            self.select_edge(top.node, top.other, end=top.node)
        elif top is not None and not top.isSelected():
            self.clearSelection()
            top.setSelected(True)
        self.menu_requested.emit(top, event.screenPos())
        event.accept()


def _united(nodes: Iterable[NodeItem], edges: Iterable[EdgeItem]) -> QRectF:
    """The rectangle around these."""
    rect = QRectF()
    for box in (*(node.scene_box() for node in nodes), *(edge.boundingRect() for edge in edges)):
        rect = rect.united(box)
    return rect
