"""Explanations of the keywords that start a clause or a line inside one.

This table is the only place of these texts. The second part of an entry is the page of
the language reference with the section that explains the keyword.
"""

from __future__ import annotations

import attrs

REFERENCE = "docs/language"
"""Folder of the pages of the language reference."""


@attrs.frozen
class KeywordHelp:
    """Explanation of a keyword, and the page of the reference that describes it."""

    text: str
    page: str


def keyword_help(word: str, *, starts_clause: bool) -> KeywordHelp | None:
    """Return the explanation of a keyword, or None if it is not in the tables.

    Several words mean something else at the start of a clause than inside one.
    """
    table = CLAUSE_HELP if starts_clause else LINE_HELP
    entry = table.get(word)
    return None if entry is None else KeywordHelp(*entry)


CLAUSE_HELP: dict[str, tuple[str, str]] = {
    "action": (
        "Declares something that a player can do: its requirements, price and effects.",
        "actions.md#actions",
    ),
    "as": (
        "Lists clauses of an extended file that implement the section above.",
        "amendments.md#libraries",
    ),
    "award": (
        "Declares an award, which belongs to the player with the most of something.",
        "ending.md#awards",
    ),
    "board": ("Starts a file that contains only a board.", "files.md#the-header"),
    "card": (
        "Contains the text of a card: its requirements and effects.",
        "actions.md#the-text-of-a-card",
    ),
    "cards": (
        "Declares a kind of cards, with the number of copies of each card.",
        "components.md#cards",
    ),
    "citations": (
        "Cites the sources of several clauses in one table.",
        "files.md#citations",
    ),
    "colour": ("Declares one colour, as `#` and six digits.", "looks.md#colours"),
    "colours": ("Declares colours, each as `#` and six digits.", "looks.md#colours"),
    "columns": (
        "Adds columns to the table of a kind that another clause declares.",
        "components.md#kinds",
    ),
    "corners": ("Declares the corners of the hexes as spaces.", "boards.md#hexes"),
    "cost": (
        "Declares a cost: cards that a player pays.",
        "components.md#costs-and-payments",
    ),
    "costs": (
        "Declares several costs, one on each line.",
        "components.md#costs-and-payments",
    ),
    "define": (
        "Declares a derived value or condition, which is computed when it is needed.",
        "values.md#definitions",
    ),
    "dice": (
        "Declares dice with numbers or names on their faces.",
        "components.md#dice",
    ),
    "drawing": ("Declares a drawing for pieces or spaces.", "looks.md#drawings"),
    "each": (
        "`each KIND has` declares fields, which every member of the kind has.",
        "components.md#fields-bags-stacks-sets",
    ),
    "end": (
        "Contains what happens if a game ends without a winner.",
        "ending.md#the-end",
    ),
    "expect": (
        "Names something that files which extend this one must declare.",
        "amendments.md#libraries",
    ),
    "game": (
        "`game has` declares fields of the game, such as a market or a deck.",
        "components.md#fields-bags-stacks-sets",
    ),
    "headings": (
        "Lists the headings of a source in several editions.",
        "files.md#citations",
    ),
    "hexes": (
        "Declares the hexes of a board, with their coordinates.",
        "boards.md#hexes",
    ),
    "hint": (
        "Gives a hint for pictures or bots; it changes no rule.",
        "looks.md#tables-of-looks",
    ),
    "in": ("Amends a part of a clause of the game below.", "amendments.md"),
    "invariant": (
        "States a condition that must be true in every position of every game.",
        "tests.md#invariants",
    ),
    "kind": (
        "Declares a kind and its members, with a table of their attributes.",
        "components.md#kinds",
    ),
    "limit": (
        "Limits how often actions are allowed in each turn, round or game.",
        "components.md#limits",
    ),
    "links": ("Declares the links between corners or spaces.", "boards.md#hexes"),
    "look": (
        "Sets the colours, shapes and other looks of components.",
        "looks.md#tables-of-looks",
    ),
    "measure": (
        "Declares a value to collect from many games; it changes no rule.",
        "measures.md",
    ),
    "option": (
        "Declares a value that can be changed when a game is created.",
        "components.md#options",
    ),
    "payments": (
        "Defines where payments come from and go to.",
        "components.md#costs-and-payments",
    ),
    "piece": (
        "Declares pieces: how many there are, and where they can be placed.",
        "components.md#pieces",
    ),
    "points": (
        "Lists what gives a player points; the lines are added.",
        "ending.md#points",
    ),
    "questions": (
        "Contains the questions that players are asked when they decide.",
        "words.md#questions-and-reports",
    ),
    "remove": ("Removes a clause of the game below.", "amendments.md"),
    "replace": ("Replaces a clause of the game below by a new one.", "amendments.md"),
    "reports": (
        "Contains sentences that describe what has happened.",
        "words.md#questions-and-reports",
    ),
    "round": (
        "Contains the phases of a round, in a game in which nobody has a turn.",
        "turns.md#phases-in-which-every-player-acts",
    ),
    "rule": (
        "Does something whenever a condition becomes true, such as winning the game.",
        "ending.md#rules",
    ),
    "rulebook": ("Starts a game or a house rule.", "files.md#the-header"),
    "scenario": (
        "Tests the rules: a position, actions, and what must then be true.",
        "tests.md#scenarios",
    ),
    "section": (
        "Cites headings of a source for all clauses up to the next section.",
        "files.md#sections",
    ),
    "setup": (
        "Contains what happens before the first turn.",
        "actions.md#set-up-and-turns",
    ),
    "skip": ("Skips each player for whom a condition is true.", "turns.md"),
    "spaces": ("Declares the spaces of a board.", "boards.md#spaces"),
    "style": ("Sets the looks of parts of pictures.", "looks.md#styles"),
    "theme": ("Starts a file with colours, drawings and styles.", "looks.md#themes"),
    "to": (
        "Declares a procedure: statements that other clauses carry out by its name.",
        "actions.md#procedures",
    ),
    "turn": ("Contains the phases of a player's turn.", "actions.md#set-up-and-turns"),
    "words": ("Translates the titles and sentences of the game.", "words.md"),
}
"""Explanation and page of each keyword that starts a clause."""

LINE_HELP: dict[str, tuple[str, str]] = {
    # lines of headers
    "board": ("Adds the boards of other files.", "files.md#the-header"),
    "comes": (
        "`comes with` names files beside the game that contain no rules.",
        "files.md#files-beside-a-game",
    ),
    "extends": (
        "Takes all rules of another file and changes some of them.",
        "amendments.md",
    ),
    "over": ("Names the games that this house rule changes.", "files.md#house-rules"),
    "players": (
        "Sets the smallest and largest number of players.",
        "files.md#the-header",
    ),
    "rounds": ("Sets the maximum number of rounds.", "files.md#the-header"),
    "seats": ("Names the seats of the players, in turn order.", "files.md#the-header"),
    "source": ("Declares a source that citations name.", "files.md#citations"),
    "team": ("Declares a team and its seats.", "ending.md#teams"),
    "theme": ("Names themes with colours and drawings.", "looks.md#themes"),
    "turns": ("Sets the maximum number of turns.", "files.md#the-header"),
    # statements
    "announce": (
        "Writes a sentence into the log, with the values of the names in braces.",
        "effects.md#announcements",
    ),
    "at": (
        "`at the same time each …` lets all players decide before anything happens.",
        "actions.md#choices",
    ),
    "carry": (
        "`carry out` performs a procedure or the text of a card.",
        "actions.md#procedures",
    ),
    "chance": ("`chance chooses` picks a member or a card at random.", "effects.md"),
    "decrease": ("Decreases a number in a field.", "effects.md"),
    "discard": ("Removes cards from the game, visible to everybody.", "effects.md"),
    "each": (
        "Repeats statements for each member of a kind or set.",
        "effects.md#loops-with-each",
    ),
    "every": (
        "True if a condition is true for every member of a kind.",
        "values.md#quantifiers-and-choices",
    ),
    "first": (
        "The first member in order that meets a condition.",
        "values.md#quantifiers-and-choices",
    ),
    "forget": (
        "Empties a bag that contains no real cards, such as an offer.",
        "effects.md",
    ),
    "if": ("Does the lines below only if a condition is true.", "effects.md"),
    "increase": ("Increases a number in a field.", "effects.md"),
    "let": ("Gives a name to a value, for the lines below.", "effects.md"),
    "move": ("Moves cards from one holder to another.", "effects.md"),
    "needs": (
        "States a requirement: the action is legal only if the condition is true.",
        "actions.md#actions",
    ),
    "next": ("`next player` is the player whose turn is next.", "turns.md"),
    "nobody": ("`nobody wins` ends the game in a draw.", "ending.md#winning"),
    "only": (
        "The only member that meets a condition, or none.",
        "values.md#quantifiers-and-choices",
    ),
    "otherwise": (
        "Does the lines below if the condition above is false.",
        "effects.md",
    ),
    "pays": ("States the price of an action.", "components.md#costs-and-payments"),
    "place": (
        "Places a piece from the supply on a space.",
        "effects.md#placing-and-removing-pieces",
    ),
    "remove": (
        "Returns a piece to the supply; in an amendment, removes a part of a clause.",
        "effects.md#placing-and-removing-pieces",
    ),
    "repeat": (
        "Repeats statements a number of times, or until a condition is true.",
        "effects.md#loops-with-repeat-until",
    ),
    "require": ("In a test, states a condition that must be true.", "tests.md"),
    "roll": ("Rolls dice.", "components.md#dice"),
    "set": ("Sets a field to a value.", "effects.md"),
    "shuffle": ("Shuffles a stack of cards.", "effects.md"),
    "step": (
        "Names a group of statements, which amendments can replace.",
        "amendments.md",
    ),
    "stop": ("Ends the action or procedure.", "effects.md"),
    "you": ("The player who decides or whose turn it is.", "values.md#possession"),
    "your": ("`your x` is a part of the player who decides.", "values.md#possession"),
    # lines of other clauses
    "add": ("Adds a part to a clause of the game below.", "amendments.md"),
    "after": (
        "Adds statements after a step, or a phase after another.",
        "amendments.md",
    ),
    "before": (
        "Adds statements before a step, or a phase before another.",
        "amendments.md",
    ),
    "given": (
        "Describes the position in which a scenario starts.",
        "tests.md#scenarios",
    ),
    "most": ("The player with the most of a value has the award.", "ending.md#awards"),
    "on": ("`on a tie` says who has the award on a tie.", "ending.md#awards"),
    "phase": (
        "Declares a phase of the turn, with its statements.",
        "actions.md#set-up-and-turns",
    ),
    "replace": ("Replaces a part of a clause of the game below.", "amendments.md"),
    "then": (
        "Describes what must be true at the end of a scenario.",
        "tests.md#scenarios",
    ),
    "when": (
        "Lists what happens in a scenario; in an award, when it is gained or lost.",
        "tests.md#scenarios",
    ),
    "whenever": ("States the condition at which a rule acts.", "ending.md#rules"),
}
"""Explanation and page of each keyword that starts a line inside a clause."""
