# Completion of remuda for bash and, in its emulation of bash, for zsh; made from the commands
# themselves. In a shell: source <(remuda completion)
if [ -n "${ZSH_VERSION-}" ]; then
  autoload -U +X compinit && { type compdef >/dev/null 2>&1 || compinit; }
  autoload -U +X bashcompinit && bashcompinit
fi

# The commands below a command.
_remuda_commands() {
  case $1 in
@COMMANDS@
  esac
}

_remuda_options() {
  case $1 in
@OPTIONS@
  esac
}

# What an option of a command wants: words, @files, @folders, what the server knows (@jobs that have
# not ended, @all-jobs, @nodes, @users) or @nothing that is known here. An option that wants nothing
# is not there.
_remuda_value() {
  case "$1 $2" in
@VALUES@
  esac
}

# What a command wants besides options.
_remuda_argument() {
  case $1 in
@ARGUMENTS@
  esac
}

# The name of a command that has several.
_remuda_own() {
  case $1 in
@ALIASES@
    *) echo "$1" ;;
  esac
}

# Sets _remuda_answer to what the server knows of a kind, as far as one answers: at most every five
# seconds, silently, and never by starting one.
_remuda_ask() { # KIND
  local program=${COMP_WORDS[0]}
  case $program in
    '~/'*) program=$HOME/${program#'~/'} ;;
  esac
  [ "$1" != "${_remuda_asked-}" ] || [ $((SECONDS - _remuda_when)) -ge 5 ] || return 0
  if type timeout >/dev/null 2>&1; then
    _remuda_answer=$(REMUDA_NO_BUILD=1 timeout 3 "$program" complete "$1" 2>/dev/null </dev/null)
  else
    _remuda_answer=$(REMUDA_NO_BUILD=1 "$program" complete "$1" 2>/dev/null </dev/null)
  fi
  _remuda_asked=$1
  _remuda_when=$SECONDS
}

# Words of a list behind each other, as a1,a2: only the last is completed.
_remuda_known() { # KIND WORD
  local one before=''
  case $2 in
    *,*) before=${2%,*}, ;;
  esac
  _remuda_ask "$1"
  while read -r one; do
    case $before$one in
      "$before") ;;
      "$2"*) COMPREPLY+=("$before$one") ;;
    esac
  done <<KNOWN
$_remuda_answer
KNOWN
}

_remuda_reply() { # KIND WORD
  local IFS=$'\n'
  case $1 in
    @jobs | @all-jobs | @nodes | @users) _remuda_known "${1#@}" "$2" ;;
    @files | @folders)
      type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
      if [ "$1" = @files ]; then
        COMPREPLY=($(compgen -f -- "$2"))
      else
        COMPREPLY=($(compgen -d -- "$2"))
      fi
      ;;
    @nothing) ;;
    *) COMPREPLY=($(compgen -W "${1// /$IFS}" -- "$2")) ;;
  esac
}

# A user's command, by its own completion where that is loaded.
_remuda_command() { # POSITION OF ITS FIRST WORD, WORD
  if type _command_offset >/dev/null 2>&1; then
    _command_offset "$1"
  elif [ "$1" -eq "$COMP_CWORD" ] && [ "${2#*/}" = "$2" ]; then
    local IFS=$'\n'
    COMPREPLY=($(compgen -c -- "$2"))
  else
    _remuda_reply @files "$2"
  fi
}

_remuda() {
  local word=${COMP_WORDS[COMP_CWORD]} command='' name option i=1 kind
  COMPREPLY=()
  while [ "$i" -lt "$COMP_CWORD" ]; do
    name=${COMP_WORDS[i]}
    [ -n "$command" ] || name=$(_remuda_own "$name")
    case " $(_remuda_commands "$command") " in
      *" $name "*) command="${command:+$command }$name" ;;
      *) break ;;
    esac
    i=$((i + 1))
  done
  # what follows the dashes is a command of the user's
  kind=$(_remuda_argument "$command")
  while [ "$kind" = @command ] && [ "$i" -lt "$COMP_CWORD" ]; do
    case ${COMP_WORDS[i]} in
      --)
        _remuda_command $((i + 1)) "$word"
        return
        ;;
    esac
    i=$((i + 1))
  done
  # bash takes --option=value for three words
  option=${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$word" = = ]; then
    word=''
  elif [ "$option" = = ]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $option in
    -*)
      kind=$(_remuda_value "$command" "$option")
      if [ -n "$kind" ]; then
        _remuda_reply "$kind" "$word"
        return
      fi
      ;;
  esac
  case $word in
    -*) _remuda_reply "$(_remuda_options "$command")" "$word" ;;
    *)
      kind=$(_remuda_commands "$command")
      [ -n "$kind" ] || kind=$(_remuda_argument "$command")
      [ "$kind" != @command ] || kind=@files
      _remuda_reply "${kind:-@nothing}" "$word"
      ;;
  esac
}

complete -F _remuda @NAME@
