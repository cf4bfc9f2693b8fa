# Completion of rulebook. In config.fish:  rulebook completion fish | source
complete -c rulebook -f -a '(rulebook completion fish --line (commandline -cp | string collect) 2>/dev/null)'
