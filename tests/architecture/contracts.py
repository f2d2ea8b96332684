"""The import-linter contract of this project: a package may import what its row allows, and nothing else of remanence.

The contracts that come with import-linter list what is forbidden, so a new package would be open to all until someone
adds it to every list. This one is closed by default, and a row may name packages that do not exist yet. Only direct
imports count: interfaces reach a store through mind, and may.
"""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class MayImport(Contract):
    """`package` and all below it may import `allowed` and all below them; the root package stands for itself alone."""

    type_name = "may_import"

    package = fields.StringField()
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken = [
            (importer, imported, line)
            for importer in sorted(graph.modules)
            if covers(str(self.package), importer)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self._may_see(imported)
            for line in sorted(d["line_number"] for d in graph.get_import_details(importer=importer, imported=imported))
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported, line in check.metadata["broken"]:
            output.print_error(f"- {importer} -> {imported} (l.{line})", bold=False)
        output.new_line()

    def _may_see(self, imported: str) -> bool:
        names = [str(self.package), *map(str, self.allowed)]
        return imported.partition(".")[0] != "remanence" or any(covers(name, imported) for name in names)


def covers(name: str, module: str) -> bool:
    """Whether `module` is `name` or below it; the root would cover everything, so it covers itself alone."""
    return module == name or ("." in name and module.startswith(name + "."))
