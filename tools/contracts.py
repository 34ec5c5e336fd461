"""A contract for import-linter: packages that need nothing but Python's standard library."""

import sys
from collections.abc import Iterable
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.domain.helpers import module_expressions_to_modules
from importlinter.domain.imports import ModuleExpression

Expressions = Iterable[ModuleExpression]


class StandardLibraryOnly(Contract):
    """The modules, and all below them, import only the standard library and the project itself.

    modules: a set of module expressions.
    except_modules: modules among them that may need more. Optional.
    types_from: what they may name in annotations besides; imported under TYPE_CHECKING alone. Optional.
    """

    type_name = "standard_library_only"

    modules = fields.SetField(subfield=fields.ModuleExpressionField())
    except_modules = fields.SetField(subfield=fields.ModuleExpressionField(), required=False)
    types_from = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        own = {name.split(".")[0] for name in graph.modules if not graph.is_module_squashed(name)}
        allowed = sys.stdlib_module_names | own | set(cast(Iterable[str] | None, self.types_from) or ())
        # The base class puts the values that were read in the place of the fields.
        modules, exceptions = cast(Expressions, self.modules), cast(Expressions | None, self.except_modules)
        excepted = {module.name for module in module_expressions_to_modules(graph, exceptions or ())}
        found = []
        for package in module_expressions_to_modules(graph, modules):
            for module in sorted({package.name} | graph.find_descendants(package.name)):
                if module in excepted:
                    continue
                for imported in sorted(graph.find_modules_directly_imported_by(module)):
                    if imported.split(".")[0] not in allowed:
                        for detail in graph.get_import_details(importer=module, imported=imported):
                            found.append(f"{module}:{detail['line_number']} imports {imported}")
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["found"]:
            output.print_error(line)
