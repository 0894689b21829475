extension CommandTable {
  /// The shells for which there are completions.
  package static let shells = ["bash", "zsh", "fish"]

  /// Returns the script with which a shell completes the program's command lines, or `nil` for an unknown shell.
  ///
  /// For completions of the kind `.program`, the script runs `program __complete KIND WORD…`.
  package func completions(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  private func words(of command: Command) -> [String] {
    (options + command.options).flatMap { ["--\($0.name)"] + ($0.short.map { ["-\($0)"] } ?? []) }
  }

  // MARK: bash

  private var bash: String {
    var script = """
      # Completions of \(program) for bash.
      _\(program)_words() {
        # Everything that bash might read as more than a letter gets a backslash.
        mapfile -t COMPREPLY < <(\(program) __complete "$@" 2>/dev/null | sed 's/[^[:alnum:]_.:/=@%+,~-]/\\\\&/g')
      }
      _\(program)() {
        # bash itself splits words at colons, which the addresses of stores have.
        local line=${COMP_LINE:0:COMP_POINT} words word last command= index place=-1
        read -a words <<< "$line"
        [[ $line == *[[:space:]] ]] && words+=('')
        word=${words[-1]} last=${words[-2]}
        for ((index = 1; index < ${#words[@]} - 1; index++)); do
          case ${words[index]} in
            -*) ;;
            *) [ -z "$command" ] && command=${words[index]}; place=$((place + 1)) ;;
          esac
        done
        COMPREPLY=()
        case $command in
          '') COMPREPLY=($(compgen -W '\(visibleCommands.map(\.name).joined(separator: " "))' -- "$word")) ;;

      """
    for command in visibleCommands {
      script += "    \(command.name))\n"
      let values = (options + command.options).filter { $0.kind != .flag }
      if !values.isEmpty {
        script += "      case $last in\n"
        for option in values {
          let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
          script +=
            "        \(names.joined(separator: "|"))) \(bash(option.completion, command)); return ;;\n"
        }
        script += "      esac\n"
      }
      script += """
              if [[ $word == -* ]]; then
                COMPREPLY=($(compgen -W '\(words(of: command).joined(separator: " "))' -- "$word"))
                return
              fi
              case $place in

        """
      for (index, argument) in command.arguments.enumerated() {
        let pattern = argument.count == .many || argument.count == .any ? "*" : "\(index)"
        script += "        \(pattern)) \(bash(argument.completion, command)) ;;\n"
      }
      script += "      esac ;;\n"
    }
    return script + """
        esac
        # bash replaces only what is behind the last colon.
        local kept=${word%"${word##*[:=]}"}
        [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"$kept"}")
        # The address goes on behind a colon or a slash.
        [[ ${COMPREPLY-} == *[:/] ]] && compopt -o nospace
      }
      complete -o nosort -F _\(program) \(program)

      """
  }

  private func bash(_ completion: Completion, _ command: Command) -> String {
    switch completion {
    case .none: ":"
    case .file: #"COMPREPLY=($(compgen -f -- "$word"))"#
    case .words(let words): #"COMPREPLY=($(compgen -W '\#(words.joined(separator: " "))' -- "$word"))"#
    case .program(let kind):
      #"_\#(program)_words \#(kind) "${words[@]:2}""#
    }
  }

  // MARK: zsh

  private var zsh: String {
    var script = "#compdef \(program)\n# Completions of \(program) for zsh.\n"
    script += """
      _\(program)_words() {
        local -a found
        found=(${(f)"$(\(program) __complete $1 "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
        # The address goes on behind a colon or a slash.
        compadd -S '' -- ${(M)found:#*[:/]}
        compadd -- ${found:#*[:/]}
      }
      _\(program)() {
        local -a commands
        commands=(

      """
    for command in visibleCommands { script += "    \(zshQuoted("\(command.name):\(command.summary)"))\n" }
    script += """
        )
        _arguments -C '1:command:->command' '*::argument:->arguments' && return
        case $state in
          command) _describe command commands ;;
          arguments)
            case $words[1] in

      """
    for command in visibleCommands {
      script += "        \(command.name)) _arguments -s \\\n"
      for option in options + command.options {
        let value = option.kind == .flag ? "" : ":\(option.placeholder):\(zsh(option.completion))"
        let help = option.help.replacing(/[\[\]:]/) { "\\\($0.output)" }
        script +=
          "          \(zshQuoted("\(option.repeats ? "*" : "")--\(option.name)[\(help)]\(value)")) \\\n"
        if let short = option.short { script += "          \(zshQuoted("-\(short)[\(help)]\(value)")) \\\n" }
      }
      for argument in command.arguments {
        let place =
          argument.count == .many || argument.count == .any ? "*" : argument.count == .optional ? ":" : ""
        script += "          \(zshQuoted("\(place):\(argument.name):\(zsh(argument.completion))")) \\\n"
      }
      script += "          ;;\n"
    }
    return script + "      esac ;;\n  esac\n}\n_\(program) \"$@\"\n"
  }

  private func zsh(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .file: "_files"
    case .words(let words): "(\(words.joined(separator: " ")))"
    // The space keeps _arguments from inserting options of compadd.
    case .program(let kind): " _\(program)_words \(kind)"
    }
  }

  private func zshQuoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }

  // MARK: fish

  private var fish: String {
    var script = """
      # Completions of \(program) for fish.
      function __\(program)_place
        math (count (commandline -opc | string match -v -- '-*')) - 2
      end
      complete -c \(program) -f

      """
    for command in visibleCommands {
      script +=
        "complete -c \(program) -n __fish_use_subcommand -a \(command.name) -d \(fishQuoted(command.summary))\n"
    }
    for command in visibleCommands {
      let isSeen = "__fish_seen_subcommand_from \(command.name)"
      for option in options + command.options {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.kind == .flag ? "" : " -r" + fish(option.completion)
        script +=
          "complete -c \(program) -n '\(isSeen)' -l \(option.name)\(short)\(value) -d \(fishQuoted(option.help))\n"
      }
      for (index, argument) in command.arguments.enumerated() where argument.completion != .none {
        let isRest = argument.count == .many || argument.count == .any
        let isHere = "test (__\(program)_place) -\(isRest ? "ge" : "eq") \(index)"
        script += "complete -c \(program) -n '\(isSeen); and \(isHere)'\(fish(argument.completion))\n"
      }
    }
    return script
  }

  private func fish(_ completion: Completion) -> String {
    switch completion {
    case .none: ""
    case .file: " -F"
    case .words(let words): " -a \(fishQuoted(words.joined(separator: " ")))"
    case .program(let kind):
      " -a '(set -l words (commandline -opc) (commandline -ct); \(program) __complete \(kind) $words[3..-1] 2>/dev/null)'"
    }
  }

  private func fishQuoted(_ text: String) -> String { "'" + text.replacing("'", with: #"\'"#) + "'" }
}
