extension CommandTable {
  /// The manual page of the program, in the language of `man`.
  package var manualPage: String {
    var page = ".TH \(escaped(program.uppercased())) 1 \"\" \"\(escaped(version))\"\n"
    page += ".SH NAME\n\(escaped(program)) \\- \(escaped(summary))\n"
    page += ".SH SYNOPSIS\n.B \(escaped(program))\n.I COMMAND\n[options]\n.SH COMMANDS\n"
    for command in visibleCommands {
      page += ".SS \"\(escaped(synopsis(of: command)))\"\n\(sentence(command.summary))\n"
      for part in command.details.split(separator: "\n\n") {
        page += ".PP\n\(escaped(part.split(separator: "\n").joined(separator: " ")))\n"
      }
      page += terms(command.arguments.map { ($0.name, $0.help) } + command.options.map(\.shown))
    }
    page += ".SH OPTIONS\n" + terms(options.map(\.shown))
    for section in sections {
      page +=
        ".SH \"\(escaped(section.title.uppercased()))\"\n"
        + terms(section.terms.map { ($0.term, $0.meaning) })
    }
    return page
  }

  private func terms(_ terms: [(String, String)]) -> String {
    terms.map { term, meaning in
      ".TP\n.B \"\(escaped(String(term.drop { $0 == " " })))\"\n\(sentence(meaning))\n"
    }.joined()
  }

  /// Returns a line of the help as a sentence, escaped for `man`.
  private func sentence(_ text: String) -> String {
    escaped(text.prefix(1).uppercased() + text.dropFirst()) + "."
  }

  /// Returns a text in which `man` finds no commands of its language. It is ASCII, since formatters do not agree on the
  /// encoding of a page.
  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case _ where !character.isASCII:
        for scalar in character.unicodeScalars {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }
}
