"""Storm, in double precision: a model in the language of PRISM."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import stormpy

ABOUT = ("stormpy, double", "stormpy", "float64")

PRISM = """
mdp
module redblack
  red : [0..N] init N;
  black : [0..N] init N;
  over : bool init false;
  [stop] !over -> (over'=true);
  [draw] !over & red>0 & black>0 ->
     red/(red+black) : (red'=red-1) + black/(red+black) : (black'=black-1);
  [draw] !over & black=0 & red>0 -> (red'=red-1);
  [draw] !over & red=0 & black>0 -> (black'=black-1);
  [end] over -> true;
endmodule
rewards
  [stop] true : N-red+black;
endrewards
label "over" = over;
"""


def build(n: int, number: Any = float) -> Any:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "redblack.prism"
        path.write_text(PRISM.replace("N", str(n)), encoding="utf-8")
        program = stormpy.parse_prism_program(str(path))
    wanted = stormpy.parse_properties('Rmax=? [F "over"]', program)
    return n, stormpy.build_model[number](program, wanted), wanted[0]


def check(model: Any, environment: Any) -> Any:
    _, built, wanted = model
    result = stormpy.model_checking(built, wanted, environment=environment)
    return result[built.initial_states[0]]


def solve(model: Any) -> float:
    found = check(model, stormpy.Environment()).value
    return float(found - model[0])  # rewards are not negative
