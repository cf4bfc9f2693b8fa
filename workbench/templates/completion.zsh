# Completion of rulebook. In ~/.zshrc, below compinit:  eval "$(rulebook completion zsh)"
_rulebook() {
  local -a found
  found=("${(@f)$(${words[1]} completion zsh --line "$LBUFFER" 2>/dev/null)}")
  [[ -n "${found[1]}" ]] && compadd -Q -S '' -- "${found[@]}"
}
compdef _rulebook rulebook
