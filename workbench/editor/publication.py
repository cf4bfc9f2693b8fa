"""Which mistakes an editor shows: those of all that is open, each in its file.

A mistake is at a place of the text in which it was seen. Of another text nothing is
shown by it, and nothing mended: what is wrong there is not known yet.
"""

from pathlib import Path

import attrs

from rulebook import Diagnostic
from workbench.editor.workspace import Mistakes, Workspace

Said = dict[Path, tuple[str, tuple[Diagnostic, ...]]]
"""What is wrong by file, each with the text in which it was seen."""


@attrs.define
class Published:
    """What was said last of each root, and what stands open with its roots."""

    space: Workspace
    shown: dict[Path, tuple[Path, ...]] = attrs.Factory(dict)
    said: dict[Path, Said] = attrs.Factory(dict)
    early: set[Path] = attrs.Factory(set)
    """The roots of which only their texts were looked at since."""
    listed: dict[Path, list[Path]] = attrs.Factory(dict)
    """The rule files of folders, as they were when something changed there last."""

    def open(self, path: Path) -> None:
        """A file is shown."""
        self.shown[path] = self.space.roots(path)

    def close(self, path: Path) -> set[Path]:
        """A file is shown no more. The files of which something else is to be said."""
        self.shown.pop(path, None)
        return self._gone()

    def _gone(self) -> set[Path]:
        """Forget roots of nothing that is shown; the files where they had mistakes."""
        self.space.keep(self.roots)
        gone = self.said.keys() - self.roots
        return {file for root in gone for file in self.said.pop(root)}

    @property
    def roots(self) -> set[Path]:
        """The files that are checked for those that are shown."""
        return {root for roots in self.shown.values() for root in roots}

    def changed(self, path: Path) -> tuple[set[Path], set[Path]]:
        """The files of which something is to be said now, and the roots to check."""
        late = set[Path]()
        affected = self._affected(path)
        tell = self._gone()
        for root in affected:
            mistakes = self.space.early_mistakes(root)
            if mistakes is not None:
                tell |= self.take(root, mistakes)
                self.early.add(root)
                continue
            if root in self.early:
                tell |= self.take(root, {})
            late.add(root)
        return tell, late

    def _affected(self, path: Path) -> set[Path]:
        """The roots of which other things may be wrong since a file has changed.

        A file that has come or gone may be one that others in its folder lack.
        """
        before, other_files = self.roots, self._other_files(path)
        for shown in self.shown:
            if shown.parent == path.parent:
                self.open(shown)
        return {
            root
            for root in self.roots
            if root not in before
            or path in self.space.reads.get(root, {path})
            or (other_files and root.parent == path.parent)
        }

    def _other_files(self, path: Path) -> bool:
        """Whether other files lie beside one than when it was asked last."""
        files = self.space.beside(path)
        before = self.listed.get(path.parent)
        self.listed[path.parent] = files
        return files != before

    def take(self, root: Path, mistakes: Mistakes) -> set[Path]:
        """Note what was found. The files of which something is to be said."""
        before = self.said.get(root, {})
        self.early.discard(root)
        if root not in self.roots:
            return set()
        self.said[root] = {
            file: (self.space.text(file), those) for file, those in mistakes.items()
        }
        return before.keys() | mistakes.keys() | (self.shown.keys() & {root})

    def of(self, path: Path) -> tuple[Diagnostic, ...]:
        """All that is wrong in a file, by whichever root that was seen; each once.

        What was seen in another text of it is not.
        """
        now = self.space.text(path)
        several = (said[path] for said in self.said.values() if path in said)
        those = (it for text, mistakes in several if text == now for it in mistakes)
        return tuple(sorted(dict.fromkeys(those), key=lambda it: it.sort_key))
