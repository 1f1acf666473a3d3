# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tells what the rules in ./script offer for each line of standard input: a line of words for each,
# on standard output.  The editor of zsh runs in a terminal of zsh/zpty; compadd notes its words.
zmodload zsh/zpty

cat > .zshrc << 'END'
PS1= PROMPT_EOL_MARK=
unset zle_bracketed_paste
setopt extended_glob
autoload -Uz compinit && compinit -u -D
source ./script
compadd() {
    local -a hits
    local word
    for word; do
        [[ $word == (-|--) ]] && break
        [[ $word == -[a-zA-Z]#[OAD] ]] && { builtin compadd "$@"; return; }
    done
    builtin compadd -A hits "$@"
    print -rl -- $hits >> offered
    builtin compadd "$@"
}
capture() { : > offered; zle complete-word; : > done; zle kill-whole-line }
zle -N capture
bindkey '^X' capture
: > done
END

# Reads what the inner shell prints, so that it never waits for us.
wait_for_done() {
    local -i i
    local text
    for ((i = 0; i < 400; i++)); do
        zpty -rt inner text 2> /dev/null
        [[ -e done ]] && { rm -f done; return 0; }
        sleep 0.02
    done
    print -u 2 "zsh did not answer"
    exit 1
}

zpty -b inner "ZDOTDIR=$PWD TERM=dumb zsh -d -i"
wait_for_done
while IFS= read -r line; do
    zpty -w -n inner "$line"$'\x18'
    wait_for_done
    print -r -- ${(ou)$(< offered)}
done
zpty -d inner
