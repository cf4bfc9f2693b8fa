"""Diagnostics shown in the editor: those of all open files and their roots.

A diagnostic refers to the text in which it was found. After the file changes, the
diagnostic is neither shown nor fixed until the next check.
"""

from pathlib import Path

import attrs

from rulebook import Diagnostic
from workbench.editor.workspace import FileDiagnostics, Workspace

DiagnosticsByFile = dict[Path, tuple[str, tuple[Diagnostic, ...]]]
"""Diagnostics by file, each with the text for which they were computed."""


@attrs.define
class PublishedDiagnostics:
    """Last diagnostics of each root, and the roots of each open file."""

    space: Workspace
    roots_by_file: dict[Path, tuple[Path, ...]] = attrs.Factory(dict)
    diagnostics: dict[Path, DiagnosticsByFile] = attrs.Factory(dict)
    roots_with_syntax_errors: set[Path] = attrs.Factory(set)
    """Roots that had syntax errors at their last change."""
    files_by_folder: dict[Path, list[Path]] = attrs.Factory(dict)
    """Rule files in each folder at the time of the last listing."""

    def open(self, path: Path) -> None:
        """Register an open file with its roots."""
        self.roots_by_file[path] = self.space.roots(path)

    def close(self, path: Path) -> set[Path]:
        """Close a file; return the files whose diagnostics changed."""
        self.roots_by_file.pop(path, None)
        return self._discard_closed_roots()

    def _discard_closed_roots(self) -> set[Path]:
        """Discard roots without open files; return the files of their diagnostics."""
        self.space.keep_only(self.roots)
        closed = self.diagnostics.keys() - self.roots
        return {file for root in closed for file in self.diagnostics.pop(root)}

    @property
    def roots(self) -> set[Path]:
        """Roots of all open files, to be checked."""
        return {root for roots in self.roots_by_file.values() for root in roots}

    def handle_change(self, path: Path) -> tuple[set[Path], set[Path]]:
        """Handle a changed file; return files to publish and roots to check fully."""
        to_check = set[Path]()
        affected = self._affected_roots(path)
        changed = self._discard_closed_roots()
        for root in affected:
            mistakes = self.space.syntax_errors(root)
            if mistakes is not None:
                changed |= self.store(root, mistakes)
                self.roots_with_syntax_errors.add(root)
            elif root in self.roots_with_syntax_errors:
                changed |= self.store(root, {})
                self.roots_with_syntax_errors.discard(root)
            to_check.add(root)
        return changed, to_check

    def _affected_roots(self, path: Path) -> set[Path]:
        """Return the roots whose diagnostics may change because a file changed.

        A created or deleted file may affect other files in its folder.
        """
        before, other_files = self.roots, self._folder_changed(path)
        for shown in self.roots_by_file:
            if shown.parent == path.parent:
                self.open(shown)
        return {
            root
            for root in self.roots
            if root not in before
            or path in self.space.files_by_root.get(root, {path})
            or (other_files and root.parent == path.parent)
        }

    def _folder_changed(self, path: Path) -> bool:
        """Return whether the files in the folder changed since the last call."""
        files = self.space.sibling_files(path)
        before = self.files_by_folder.get(path.parent)
        self.files_by_folder[path.parent] = files
        return files != before

    def store(self, root: Path, diagnostics: FileDiagnostics) -> set[Path]:
        """Store new diagnostics; return the files whose diagnostics changed."""
        before = self.diagnostics.get(root, {})
        if root not in self.roots:
            return set()
        self.diagnostics[root] = {
            file: (self.space.text(file), of_file)
            for file, of_file in diagnostics.items()
        }
        return before.keys() | diagnostics.keys() | (self.roots_by_file.keys() & {root})

    def diagnostics_of(self, path: Path) -> tuple[Diagnostic, ...]:
        """Return all current diagnostics of a file, from all roots, each once.

        Diagnostics for an earlier text of the file are left out.
        """
        now = self.space.text(path)
        several = (known[path] for known in self.diagnostics.values() if path in known)
        current = (it for text, mistakes in several if text == now for it in mistakes)
        return tuple(sorted(dict.fromkeys(current), key=lambda it: it.sort_key))
