"""Numbers → SVG, one picture a file; SVG → PNG. Nothing is drawn anywhere else, and nothing here knows another room."""

from clearhead.pictures.bars import bars
from clearhead.pictures.coverage import coverage_curve
from clearhead.pictures.curves import curves
from clearhead.pictures.files import picture_file, require_picture_name
from clearhead.pictures.graphs import Axis, Graph, Trace, graphs
from clearhead.pictures.growth import Chart, GrowthLine, growth, slope
from clearhead.pictures.histogram import histogram
from clearhead.pictures.maps.connections import connections
from clearhead.pictures.maps.heads_grid import HeadTile, heads_grid
from clearhead.pictures.maps.heatmap import heatmap
from clearhead.pictures.maps.panel import Panel
from clearhead.pictures.maps.value_map import ValueMap, two_digits, value_map
from clearhead.pictures.network import Box, network
from clearhead.pictures.raster import png
from clearhead.pictures.reliability import Bar, reliability
from clearhead.pictures.scatter import Plane, scatter
from clearhead.pictures.themes import Theme, themed

__all__ = [
    "Axis",
    "Bar",
    "Box",
    "Chart",
    "Graph",
    "GrowthLine",
    "HeadTile",
    "Panel",
    "Plane",
    "Theme",
    "Trace",
    "ValueMap",
    "bars",
    "connections",
    "coverage_curve",
    "curves",
    "graphs",
    "growth",
    "heads_grid",
    "heatmap",
    "histogram",
    "network",
    "picture_file",
    "png",
    "reliability",
    "require_picture_name",
    "scatter",
    "slope",
    "themed",
    "two_digits",
    "value_map",
]
