extension CommandTable {
  /// The request of a command line: to run a command, or to print a help or the version.
  package enum Request: Sendable {
    case run(Invocation)
    /// The help of a command, or of the program if there is none.
    case help(Command?)
    case version
  }

  /// Parses the words after the program's name.
  ///
  /// Options may be anywhere before `--`. Their values are given as `--name VALUE`, `--name=VALUE`, `-nVALUE` or
  /// `-n VALUE`.
  ///
  /// - Parameter environment: The environment variables, which give the values of some options.
  package func parse(_ words: [String], environment: [String: String] = [:]) throws(UsageError) -> Request {
    var line = Line(table: self)
    do throws(UsageError) { try line.read(words) } catch {
      throw UsageError(error.message, meant: error.meant, command: line.command?.name)
    }
    if line.wantsHelp { return .help(line.command) }
    if line.wantsVersion { return .version }
    guard let command = line.command else {
      if words.isEmpty { return .help(nil) }
      throw UsageError("a command is missing; \(program) help lists all")
    }
    do throws(UsageError) {
      return .run(try invocation(of: command, line, environment))
    } catch { throw UsageError(error.message, meant: error.meant, command: command.name) }
  }

  private func invocation(
    of command: Command, _ line: Line, _ environment: [String: String]
  ) throws(UsageError) -> Invocation {
    var invocation = Invocation(command)
    for (option, value) in line.values {
      if let value { invocation.set(option, value) } else { invocation.set(flag: option.name, true) }
    }
    for name in line.negated { invocation.set(flag: name, false) }
    for option in options + command.options {
      guard let name = option.environment, let value = environment[name], !value.isEmpty else { continue }
      do throws(UsageError) { try option.check(value) } catch {
        throw UsageError("$\(name): \(error.message)", meant: error.meant)
      }
      invocation.setDefault(option, value)
    }
    try assign(line.arguments, to: &invocation)
    return invocation
  }

  private func assign(_ words: [String], to invocation: inout Invocation) throws(UsageError) {
    var words = words[...]
    for argument in invocation.command.arguments {
      switch argument.count {
      case .one:
        guard let word = words.popFirst() else {
          throw UsageError("\(argument.name) is missing: \(argument.help)")
        }
        invocation.assign([word], to: argument)
      case .optional: if let word = words.popFirst() { invocation.assign([word], to: argument) }
      case .any, .many:
        if words.isEmpty, argument.count == .many {
          throw UsageError("\(argument.name) is missing: \(argument.help)")
        }
        invocation.assign(Array(words), to: argument)
        words = []
      }
    }
    if let word = words.first { throw UsageError("unexpected argument: \(quoted(word))") }
  }
}

/// Reads a command line word by word: the command, its arguments and its options.
private struct Line {
  let table: CommandTable
  var command: Command?
  var arguments: [String] = []
  var values: [(Option, String?)] = []
  var negated: [String] = []
  var wantsHelp = false
  var wantsVersion = false

  init(table: CommandTable) { self.table = table }

  private var options: [Option] { table.options + (command?.options ?? []) }

  mutating func read(_ words: [String]) throws(UsageError) {
    var words = words[...]
    while let word = words.popFirst() {
      if word == "--" {
        for word in words { try take(word) }
        return
      }
      if word.hasPrefix("--") {
        try readLong(word, &words)
      } else if word.hasPrefix("-"), word != "-" {
        try readShort(word, &words)
      } else {
        try take(word)
      }
    }
  }

  private mutating func take(_ word: String) throws(UsageError) {
    if command == nil { command = try table.command(word) } else { arguments.append(word) }
  }

  private mutating func readLong(_ word: String, _ words: inout ArraySlice<String>) throws(UsageError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let value = parts.count > 1 ? String(parts[1]) : nil
    if let option = options.first(where: { $0.name == name }) {
      return try add(option, value, "--\(name)", &words)
    }
    if name.hasPrefix("no-"), value == nil,
      let flag = options.first(where: { $0.name == name.dropFirst(3) && $0.kind == .flag })
    {
      values.removeAll { $0.0.name == flag.name }
      return negated.append(flag.name)
    }
    throw UsageError(
      command.map { "\($0.name) has no option --\(name)" } ?? "there is no option --\(name) before a command",
      meant: Spelling.nearest(to: name, among: options.map(\.name)).map { "--\($0)" })
  }

  private mutating func readShort(_ word: String, _ words: inout ArraySlice<String>) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw UsageError("there is no option -\(letter)")
      }
      if option.kind == .flag {
        try add(option, nil, "-\(letter)", &words)
      } else {
        let rest = letters.first == "=" ? letters.dropFirst() : letters
        return try add(option, letters.isEmpty ? nil : String(rest), "-\(letter)", &words)
      }
    }
  }

  private mutating func add(
    _ option: Option, _ value: String?, _ spelling: String, _ words: inout ArraySlice<String>
  ) throws(UsageError) {
    if option.kind == .flag {
      if value != nil { throw UsageError("\(spelling) takes no value") }
      if option.name == "help" { wantsHelp = true }
      if option.name == "version" { wantsVersion = true }
      negated.removeAll { $0 == option.name }
      return values.append((option, nil))
    }
    guard let value = value ?? words.popFirst() else {
      throw UsageError("\(spelling) needs a value: \(option.help)")
    }
    try option.check(value)
    values.append((option, value))
  }
}
