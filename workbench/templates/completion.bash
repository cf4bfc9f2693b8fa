# Completion of rulebook. In ~/.bashrc:  eval "$(rulebook completion bash)"
_rulebook() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <("$1" completion bash --line "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o nospace -F _rulebook rulebook
