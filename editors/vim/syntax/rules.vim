" Rule files of board games: made by `python -m editors.vim`, not by hand.
if exists('b:current_syntax') | finish | endif
syntax case match
syntax match rulesWord /\v<%(counterclockwise|combinations|combination|clockwise|scenarios|examples|shortest|smallest|against|another|because|between|chooses|endless|example|gathers|highest|largest|longest|outside|spreads|through|towards|without|behind|beside|choose|except|fewest|gained|gather|holder|inside|lowest|places|player|stands|starts|within|above|among|below|field|first|gives|keeps|least|other|stack|steps|still|times|under|until|value|where|also|does|from|have|line|lost|near|ours|sees|show|some|than|that|then|wins|with|and|any|are|bag|for|has|may|not|out|row|see|win|NE|NW|SE|SW|an|be|by|do|if|in|is|it|of|on|or|so|to|E|N|S|W|a)>/
syntax match rulesWord /\v<%(in\s+place\s+of\s+what\s+stands\s+there|if\s+there\s+are\s+several|counterclockwise\s+to|in\s+falling\s+order\s+of|from\s+the\s+bottom\s+of|have\s+the\s+next\s+turn|cheapest\s+way\s+from|has\s+the\s+next\s+turn|otherwise\s+nothing|until\s+one\s+is\s+left|at\s+the\s+beginning|at\s+the\s+same\s+time|longest\s+trail\s+of|resets\s+each\s+turn|clockwise\s+after|on\s+the\s+sides\s+of|clockwise\s+from|have\s+next\s+turn|of\s+each\s+player|without\s+paying|a\s+random\s+card|card\s+at\s+place|has\s+next\s+turn|misses\s+a\s+turn|players\s+with|remainder\s+of|are\s+to\s+move|carries\s+out|changing\s+at|exactly\s+one|for\s+exactly|in\s+order\s+of|miss\s+a\s+turn|next\s+player|on\s+sides\s+of|top\s+card\s+of|where\s+still|a\s+tally\s+of|any\s+number|at\s+the\s+end|comes\s+with|divided\s+by|is\s+to\s+move|reach\s+from|rounded\s+up|smaller\s+of|steps\s+from|any\s+other|bottom\s+of|broken\s+at|carry\s+out|game\s+ends|larger\s+of|not\s+shown|number\s+of|other\s+way|the\s+first|at\s+least|bag\s+over|for\s+each|on\s+a\s+tie|room\s+for|sum\s+over|top\s+card|turns\s+go|at\s+most|cost\s+of|half\s+of|in\s+step|of\s+each|seen\s+by|bag\s+of|of\s+any|set\s+of|top\s+of|up\s+to)>/
syntax match rulesConstant /\v<%(everything|nothing|empty|none|all|yes|no)>/
syntax match rulesNumber /\v<\d+>/
syntax match rulesSentence /\v%(^\s+|:\s+)\zs%(otherwise|announce|decrease|increase|whenever|discard|extends|players|require|shuffle|before|chance|forget|nobody|remove|repeat|rounds|source|after|carry|comes|every|first|given|needs|phase|place|seats|turns|dice|each|most|move|next|only|over|pays|roll|step|stop|team|then|when|your|add|let|set|you|at|if|on)>/
syntax match rulesClause /\v^%(the\s+)?%(citations|invariant|questions|headings|payments|scenario|colours|columns|corners|drawing|measure|replace|reports|section|action|colour|define|expect|option|points|remove|spaces|award|cards|costs|hexes|limit|links|piece|round|setup|style|words|card|cost|dice|each|game|hint|kind|look|rule|skip|turn|end|as|in|to)>/ nextgroup=rulesName skipwhite
syntax match rulesClause /\v^%(replace|remove|in)\s+%(the\s+)?%(citations|invariant|questions|headings|payments|scenario|colours|columns|corners|drawing|measure|replace|reports|section|action|colour|define|expect|option|points|remove|spaces|award|cards|costs|hexes|limit|links|piece|round|setup|style|words|card|cost|dice|each|game|hint|kind|look|rule|skip|turn|end|as|in|to)>/
  \ nextgroup=rulesName skipwhite
syntax match rulesHeader /\v^%(scenarios\s+of|rulebook|extends|look\s+of|board|theme|words)>/ nextgroup=rulesName skipwhite
syntax match rulesHeader /\v^rules\s+language>/
syntax match rulesName /\v%(%(counterclockwise|combinations|combination|clockwise|scenarios|examples|shortest|smallest|against|another|because|between|chooses|endless|example|gathers|highest|largest|longest|outside|spreads|through|towards|without|behind|beside|choose|except|fewest|gained|gather|holder|inside|lowest|places|player|stands|starts|within|above|among|below|field|first|gives|keeps|least|other|stack|steps|still|times|under|until|value|where|also|does|from|have|line|lost|near|ours|sees|show|some|than|that|then|wins|with|and|any|are|bag|for|has|may|not|out|row|see|win|NE|NW|SE|SW|an|be|by|do|if|in|is|it|of|on|or|so|to|E|N|S|W|a)>)@!%(\h|[^\x01-\x7f])%(\w|[^\x01-\x7f])*/ contained
syntax match rulesLabel /\v%(^\s+%(needs|pays)\s+)@<=%(\h|[^\x01-\x7f])%(\w|[^\x01-\x7f])*\ze\s*:/
syntax region rulesText start=/"/ end=/"/ oneline contains=rulesGap
syntax match rulesGap /{[^}"]*}/ contained
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
