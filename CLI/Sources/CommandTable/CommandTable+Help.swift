extension CommandTable {
  /// Returns the help of the program: its summary, its commands and the options of every command.
  package func help(width: Int = 80) -> String {
    let layout = Layout(width: width)
    var text = "\(program): \(summary)\n\nUsage: \(program) COMMAND [options]\n\n"
    text += layout.terms(visibleCommands.map { ($0.name, $0.summary) })
    for section in sections {
      text += "\n\(section.title):\n" + layout.terms(section.terms.map { ($0.term, $0.meaning) })
    }
    text += "\nOptions of every command:\n" + layout.terms(options.map(\.shown))
    return text + "\n" + layout.paragraph("\(program) help COMMAND explains a command.")
  }

  /// Returns the help of a command: its synopsis, details, arguments and options.
  package func help(of command: Command, width: Int = 80) -> String {
    let layout = Layout(width: width)
    var text = layout.paragraph("\(program) \(command.name): \(command.summary)")
    text += "\n" + layout.paragraph("Usage: " + synopsis(of: command))
    for part in command.details.split(separator: "\n\n") {
      text += "\n" + layout.paragraph(part.split(separator: "\n").joined(separator: " "))
    }
    if !command.arguments.isEmpty {
      text += "\nArguments:\n" + layout.terms(command.arguments.map { ($0.name, $0.help) })
    }
    if !command.options.isEmpty { text += "\nOptions:\n" + layout.terms(command.options.map(\.shown)) }
    return text + "\nOptions of every command:\n" + layout.terms(options.map(\.shown))
  }

  func synopsis(of command: Command) -> String {
    ([program, command.name] + command.arguments.map(\.usage) + ["[options]"]).joined(separator: " ")
  }
}

extension Option {
  /// The option's forms, and its help with the possible values and the environment variable.
  var shown: (String, String) {
    let choice = if case .choice(let words) = kind { ": \(words.joined(separator: ", "))" } else { "" }
    return (usage, help + choice + (environment.map { " (or $\($0))" } ?? ""))
  }
}

/// Wraps text into lines of at most `width` columns.
package struct Layout {
  let width: Int

  /// Creates a layout. It has at least 40 columns.
  package init(width: Int) { self.width = max(40, width) }

  /// Returns a text as a paragraph with a newline at its end.
  package func paragraph(_ text: String, indent: Int = 0) -> String {
    wrapped(text, columns: width - indent).map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
  }

  /// Returns terms with their meanings in a second column. The meaning of a long term begins in the next line.
  func terms(_ terms: [(String, String)]) -> String {
    let column = min((terms.map(\.0.count).max() ?? 0) + 4, 30)
    return terms.map { term, meaning in
      let lines = wrapped(meaning, columns: width - column)
      let start = "  " + term
      var text = ""
      var rest = lines[...]
      if start.count + 2 <= column, let first = rest.popFirst() {
        text = start + String(repeating: " ", count: column - start.count) + first + "\n"
      } else {
        text = paragraph(term.replacing("[", with: " ["), indent: 4).replacing(" [", with: "[")
        if start.count <= width { text = start + "\n" }
      }
      return text + rest.map { String(repeating: " ", count: column) + $0 + "\n" }.joined()
    }.joined()
  }

  private func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.isEmpty ? [""] : lines
  }
}
