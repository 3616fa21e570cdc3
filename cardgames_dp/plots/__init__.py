"""Pictures of any game: maps of what to do, its solved tree, and distributions.

Each function draws on the axes `ax`, if they are given, or else on a new figure, which
Jupyter shows at once, and returns the axes; ``ax.figure.savefig("map.png")`` saves the
picture. Pictures follow matplotlib's style. Matplotlib (the extra ``plot``) is loaded
when a function is called.
"""

from cardgames_dp.plots.distributions import plot_distribution
from cardgames_dp.plots.maps import plot_map
from cardgames_dp.plots.trees import plot_tree

__all__ = ["plot_distribution", "plot_map", "plot_tree"]
__dir__ = __all__.copy  # for completion
