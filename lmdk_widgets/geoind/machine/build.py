"""Makes an object file of the functions of this room: `python -m lmdk_widgets.geoind.machine.build FILE`.

In a process of its own, as Numba takes 140 MB that no kernel gets back. Nothing in these functions allocates, counts
references or raises, so what comes out needs neither Numba nor Python: addresses in, numbers out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.machine import forests, moves, prices
from lmdk_widgets.geoind.machine.compiled import NAME, OnState, loaded, plain
from lmdk_widgets.geoind.machine.kept import write
from lmdk_widgets.geoind.machine.machine import Machine
from lmdk_widgets.geoind.machine.state import State, empty
from lmdk_widgets.geoind.symmetry import none
from lmdk_widgets.geoind.task import exhausted
from lmdk_widgets.geoind.trees import Forest

_FUNCTIONS: tuple[Any, ...] = (
    *(forests.set_order, forests.largest, forests.hang, forests.bound, forests.set_values, forests.answer, forests.cut),
    *(forests.enter, forests.lower, forests.join, forests.close, forests.tie, prices.add_up, prices.set_sums),
    *(prices.beyond, prices.set_members, prices.nearest, prices.best_tree, prices.beyond_tree, prices.offer),
    *(prices.promising, prices.look),
    *(prices.settle, moves.raise_costs, moves.begin, moves.fits, moves.begin_dual, moves.dual, moves.primal, moves.act),
)


def build(file: Path) -> None:
    """Writes the file, once the code in it has been tried."""
    import llvmlite.binding as llvm
    from numba import njit, typeof, types
    from numba.extending import intrinsic, register_jitable

    # no references are counted: what would need them does not compile
    options: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
    alone: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    for each in _FUNCTIONS:
        register_jitable(**options)(each)
    one, first = np.zeros((1, 1)), np.zeros(1, np.intp)
    kind, act = typeof(empty(one, one, first, first, 1)), moves.act

    def at(_: Any, address: Any) -> Any:
        """What `compiled._words` wrote."""

        def read(context: Any, builder: Any, __: Any, words: Any) -> Any:
            return builder.load(builder.inttoptr(words[0], context.get_value_type(kind).as_pointer()))

        return kind(types.int64), read

    state_at: Any = intrinsic(at)

    def entry(which, words, most):  # type: ignore[no-untyped-def]  # pragma: no cover
        return act(which, state_at(words), most)

    made = njit("i8(i8, i8, i8)", **alone, **options)(entry)
    (text,) = made.inspect_llvm().values()
    module = llvm.parse_assembly(text)
    (symbol,) = (each for each in module.functions if not each.is_declaration and each.linkage == llvm.Linkage.external)
    symbol.name = NAME
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, reloc="pic"
    )
    code = target.emit_object(module)
    check(loaded(code))
    write(file, code)


def check(code: Callable[[State], OnState]) -> None:
    """Lets the code solve for some places, from the start and at another epsilon: if it crashes, no kernel does.

    Raises
    ------
    AssertionError : the results are not those of plain Python.
    """
    places = np.random.default_rng(2014).random((6, 2)) * 3
    apart = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))

    def solved(each: Callable[[State], OnState]) -> Floats:
        forest, later = (Forest(epsilon * apart, np.arange(6)) for epsilon in (1.0, 1.5))
        machine = Machine(forest, apart / apart.sum(axis=1).min(), none(6, 6), code=each)
        exhausted(machine.optimise(forest, 1e-6))
        machine.rescale(later.short, 1.5)
        exhausted(machine.optimise(later, 1e-6))
        return machine.columns()

    assert np.allclose(solved(code), solved(plain()), rtol=0, atol=1e-9)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
