/** Lists the shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const
/** Names a shell that has a completion script. */
export type Shell = (typeof shells)[number]

/** Holds the hidden command that the scripts call. It prints one proposal on each line: the word, a tab, its description. */
export const completeWord = '__complete'

const originNote = 'Written by "signalbox completion'

/** Joins words again that Bash has split at `=`. Behind `--`, it asks the completion of the other program. */
const bash = `# ${originNote} bash".  In ~/.bashrc:  source <(signalbox completion bash)
_signalbox() {
  local words=() word joined='' index
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == -- && $index -lt $COMP_CWORD && \${COMP_WORDS[1]} == run ]]; then
      if declare -F _command_offset >/dev/null; then _command_offset $((index + 1)); fi
      return
    fi
    if [[ $word == = || $joined == *= ]] && ((\${#words[@]} > 0)); then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    joined=$word
  done
  local current=\${words[\${#words[@]}-1]} prefix='' line
  [[ $current == --*=* ]] && prefix=\${current%%=*}=
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    COMPREPLY+=("\${line#"$prefix"}")
  done < <("\${COMP_WORDS[0]}" ${completeWord} -- "\${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _signalbox signalbox
`

const zsh = `#compdef signalbox
# ${originNote} zsh".  In ~/.zshrc, after compinit:  source <(signalbox completion zsh)
_signalbox() {
  local -a proposals
  local line
  if (( CURRENT > 3 )) && [[ $words[2] == run && -n \${words[(r)--]} && \${words[(i)--]} -lt $CURRENT ]]; then
    local start=\${words[(i)--]}
    words=("\${(@)words[start+1,-1]}")
    (( CURRENT -= start ))
    _normal
    return
  fi
  while IFS= read -r line; do
    [[ -n $line ]] && proposals+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("$words[1]" ${completeWord} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#proposals )); then
    _describe -V signalbox proposals
  else
    _files
  fi
}
if [[ $funcstack[1] == _signalbox ]]; then
  _signalbox "$@"
else
  compdef _signalbox signalbox
fi
`

const fish = `# ${originNote} fish".  signalbox completion fish > ~/.config/fish/completions/signalbox.fish
function __signalbox_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l proposals (command $words[1] ${completeWord} -- $words[2..-1] 2>/dev/null)
    if test (count $proposals) -gt 0
        printf '%s\\n' $proposals
    else
        __fish_complete_path (commandline -ct)
    end
end
complete --command signalbox --no-files --arguments '(__signalbox_complete)'
`

/** Maps each shell to its completion script. */
export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
