import CommandTable

extension Verb {
  static let shell = Verb(
    Command(
      "shell", "type commands for one store, without its address",
      details: """
        The same commands as elsewhere, without “strata” and STORE: “ls -l”, “get KEY”. On a terminal it has a history,
        and completes commands and keys with the tabulator key. “exit” or Control-D ends it. From a file or a pipe it
        reads a command a line, and ends with the status of the first that fails.
        """,
      arguments: [.store], options: .store)
  ) { context in
    let name = try context.invocation.required("STORE")
    // The store is opened once before the first command, so that a wrong address or password is reported at once.
    _ = try Backends.open(name, context.request(.read))
    var shell = Shell(store: name, context: context)
    try await shell.run()
  }
}

/// Reads commands for one store, and runs them.
private struct Shell {
  private let store: String
  private let context: Context
  private var history: History

  init(store: String, context: Context) {
    self.store = store
    self.context = context
    history = History(environment: context.environment)
  }

  private var isTyped: Bool { context.terminal.hasInput && context.terminal.hasOutput }

  mutating func run() async throws {
    while let line = isTyped ? await typedLine() : readLine() {
      guard let words = Words.split(line) else {
        Output.complain("strata: a quote is not closed")
        if !isTyped { throw CommandEnd(code: .usage) }
        continue
      }
      guard let verb = words.first, !verb.hasPrefix("#") else { continue }
      if verb == "exit" || verb == "quit" { break }
      let status = await Program.run(full(words), context.environment)
      Signals.unwatch()
      if status != 0, !isTyped { throw CommandEnd(code: ExitCode(rawValue: status) ?? .failed) }
    }
    if isTyped { try history.save() }
  }

  /// Returns the words of a typed command with the store's address, and with the options the shell was started with.
  private func full(_ words: [String]) -> [String] {
    guard let command = Verb.table.commands.first(where: { $0.name == words[0] }),
      let first = command.arguments.first, ["STORE", "FROM", "ONE"].contains(first.name)
    else { return words }
    var options: [String] = []
    for name in ["key-file", "password-file", "timeout", "color"] {
      guard let value = context.invocation.text(name), !words.contains(where: { $0.hasPrefix("--\(name)") })
      else {
        continue
      }
      options.append("--\(name)=\(value)")
    }
    return [words[0], store] + options + words.dropFirst()
  }

  // MARK: Typing

  private mutating func typedLine() async -> String? {
    let terminal = RawTerminal()
    var editor = LineEditor(history: history.lines)
    while true {
      show(editor)
      let key = terminal.key()
      switch key {
      case .enter:
        Output.putError("\n")
        if !editor.text.allSatisfy({ $0 == " " }) { history.add(editor.text) }
        return editor.text
      case .hangUp: return nil
      case .endOfInput where editor.line.isEmpty:
        Output.putError("\n")
        return nil
      case .endOfInput: editor.press(.delete)
      case .interrupt:
        Output.putError("^C\n")
        editor = LineEditor(history: history.lines)
      case .tab: await complete(&editor)
      default: editor.press(key)
      }
    }
  }

  private func show(_ editor: LineEditor) {
    let back = editor.line.count - editor.cursor
    Output.putError("\r\u{1B}[K> \(Terminal.safe(editor.text))\(back > 0 ? "\u{1B}[\(back)D" : "")")
  }

  private func complete(_ editor: inout LineEditor) async {
    let before = editor.line[..<editor.cursor]
    let start = before.lastIndex(of: " ").map { $0 + 1 } ?? 0
    let word = String(before[start...])
    let words: [String]
    if start == 0 {
      words = (Verb.table.visibleCommands.map(\.name) + ["exit"]).filter { $0.hasPrefix(word) }
    } else if word.hasPrefix("-") {
      let name = String(editor.line.prefix { $0 != " " })
      let command = Verb.table.commands.first { $0.name == name }
      words = (Verb.table.options + (command?.options ?? [])).map { "--\($0.name)" }.filter {
        $0.hasPrefix(word)
      }
    } else {
      // If the store cannot be read now, no keys are offered.
      words = ((try? await Completer.keys(of: store, beginning: word, context)) ?? []).map(Words.quoted)
    }
    let choice = editor.complete(with: words, from: start)
    if !choice.isEmpty { Output.putError("\n" + choice.prefix(40).joined(separator: "  ") + "\n") }
  }
}
