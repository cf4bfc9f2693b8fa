"""Colours for Vim and Neovim, made of the same words as those of other editors.

    python -m editors.vim [--check]

writes `editors/vim/syntax/rules.vim`; with `--check` it ends with 1 if that is not what
the language's own grammar gives.
"""

from __future__ import annotations

import sys
from pathlib import Path

from editors import textmate
from editors.textmate import choice, put
from rulebook.parse.grammar import keywords as k

FILE = Path(__file__).parent / "vim" / "syntax" / "rules.vim"
NAME = r"%(\h|[^\x01-\x7f])%(\w|[^\x01-\x7f])*"
"""A name: in Vim's own classes are no letters but those of English."""

FRAME = r"""" Rule files of board games: made by `python -m editors.vim`, not by hand.
if exists('b:current_syntax') | finish | endif
syntax case match
syntax match rulesWord /\v<%({little})>/
syntax match rulesWord /\v<%({phrases})>/
syntax match rulesConstant /\v<%({constants})>/
syntax match rulesNumber /\v<\d+>/
syntax match rulesSentence /\v%(^\s+|:\s+)\zs%({sentences})>/
syntax match rulesClause /\v^%(the\s+)?%({clauses})>/ nextgroup=rulesName skipwhite
syntax match rulesClause /\v^%({amending})\s+%(the\s+)?%({clauses})>/
  \ nextgroup=rulesName skipwhite
syntax match rulesHeader /\v^%({headers})>/ nextgroup=rulesName skipwhite
syntax match rulesHeader /\v^rules\s+language>/
syntax match rulesName /\v%(%({little})>)@!{name}/ contained
syntax match rulesLabel /\v%(^\s+%(needs|pays)\s+)@<={name}\ze\s*:/
syntax region rulesText start=/"/ end=/"/ oneline contains=rulesGap
syntax match rulesGap /{{[^}}"]*}}/ contained
syntax region rulesCitation start=/\[/ end=/\]/ oneline contains=rulesText,rulesNumber
syntax match rulesComment /#.*$/ contains=@Spell
highlight default link rulesClause Statement
highlight default link rulesHeader PreProc
highlight default link rulesName Function
highlight default link rulesSentence Conditional
highlight default link rulesLabel Label
highlight default link rulesWord Operator
highlight default link rulesConstant Constant
highlight default link rulesNumber Number
highlight default link rulesText String
highlight default link rulesGap Special
highlight default link rulesCitation Comment
highlight default link rulesComment Comment
let b:current_syntax = 'rules'
"""


def text() -> str:
    """The file of colours."""
    sentences = {*k.line_words(), *k.sentence_words(), *k.header_line_words()}
    clauses = set(k.clause_words())
    return FRAME.format(
        name=NAME,
        little=choice(textmate.little_words()),
        phrases=choice(textmate.phrases()),
        constants=choice(textmate.constant_words()),
        sentences=choice(sentences),
        clauses=choice(clauses),
        amending=choice(textmate.AMENDING),
        headers=choice({*k.header_words(), *textmate.FILES}),
    )


def main(given: list[str]) -> int:
    """Write the file, or with `--check` return whether it is out of date."""
    return put(FILE, text(), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
