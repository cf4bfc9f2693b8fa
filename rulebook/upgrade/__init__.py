"""Upgrade of rule files of earlier versions of the language to the present one."""

from rulebook.upgrade.application import AppliedRewrite, Upgrade, upgrade_texts
from rulebook.upgrade.rewrites import REWRITES, Rewrite

__all__ = ["REWRITES", "AppliedRewrite", "Rewrite", "Upgrade", "upgrade_texts"]
