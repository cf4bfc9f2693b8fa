"""Which mistakes an editor shows: those of all that is open, each in its file."""

from pathlib import Path

import attrs

from rulebook import Diagnostic
from workbench.editor.workspace import Mistakes, Workspace


@attrs.define
class Published:
    """What was said last of each root, and what stands open with its roots."""

    space: Workspace
    shown: dict[Path, tuple[Path, ...]] = attrs.Factory(dict)
    said: dict[Path, Mistakes] = attrs.Factory(dict)
    early: set[Path] = attrs.Factory(set)
    """The roots of which only their texts were looked at since."""

    def open(self, path: Path) -> None:
        """A file is shown."""
        self.shown[path] = self.space.roots(path)

    def close(self, path: Path) -> set[Path]:
        """A file is shown no more. The files of which something else is to be said."""
        self.shown.pop(path, None)
        return self._gone()

    def _gone(self) -> set[Path]:
        """Forget roots of nothing that is shown; the files where they had mistakes."""
        gone = self.said.keys() - self.roots
        return {file for root in gone for file in self.said.pop(root)}

    @property
    def roots(self) -> set[Path]:
        """The files that are checked for those that are shown."""
        return {root for roots in self.shown.values() for root in roots}

    def changed(self, path: Path) -> tuple[set[Path], set[Path]]:
        """The files of which something is to be said now, and the roots to check."""
        if path in self.shown:
            self.open(path)
        tell, late = self._gone(), set[Path]()
        own = self.shown.get(path, ())
        for root in self.roots:
            if root not in own and path not in self.space.reads.get(root, {path}):
                continue
            mistakes = self.space.early_mistakes(root)
            if mistakes is not None:
                tell |= self.take(root, mistakes)
                self.early.add(root)
                continue
            if root in self.early:
                tell |= self.take(root, {})
            late.add(root)
        return tell | ({path} & self.shown.keys()), late

    def take(self, root: Path, mistakes: Mistakes) -> set[Path]:
        """Note what was found. The files of which something is to be said."""
        before = self.said.get(root, {})
        self.early.discard(root)
        if root not in self.roots:
            return set()
        self.said[root] = mistakes
        return before.keys() | mistakes.keys() | (self.shown.keys() & {root})

    def of(self, path: Path) -> tuple[Diagnostic, ...]:
        """All that is wrong in a file, by whichever root that was seen; each once."""
        several = [said.get(path, ()) for said in self.said.values()]
        unique = dict.fromkeys(mistake for part in several for mistake in part)
        return tuple(sorted(unique, key=lambda it: it.sort_key))
