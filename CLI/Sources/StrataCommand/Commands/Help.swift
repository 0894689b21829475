import CommandTable

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let completion = Verb(
    Command(
      "completion", "print the completions for a shell",
      details: "Load them by a line in the shell's start file, such as: source <(strata completion bash)",
      arguments: [Argument("SHELL", "bash, zsh or fish", completion: .words(CommandTable.shells))])
  ) { context in
    let shell = try context.invocation.required("SHELL")
    guard let script = table.completions(for: shell) else {
      throw Failure.usage(
        "completions exist for \(CommandTable.shells.joined(separator: ", ")), not for \(shell)")
    }
    try context.output.write(script)
  }

  static let help = Verb(
    Command(
      "help", "explain the program, or a command",
      arguments: [
        Argument("COMMAND", "the command to explain", count: .optional, completion: .program("command"))
      ],
      options: [Option(flag: "man", "print the manual page instead, for man -l -")])
  ) { context in
    if context.invocation.has("man") { return try context.output.write(table.manualPage) }
    let width = context.terminal.columns
    guard let name = context.invocation.argument("COMMAND") else {
      return try context.output.write(table.help(width: width))
    }
    try context.output.write(table.help(of: table.command(name), width: width))
  }

  /// The hidden command that the shells' completions call: prints the words that can follow on a command line.
  static let complete = Verb(
    Command(
      "__complete", "print words that fit",
      arguments: [Argument("KIND", "store, key or command"), Argument("WORD", "words so far", count: .any)],
      options: .store, isHidden: true)
  ) { context in
    let words = context.invocation.arguments("WORD")
    let last = words.last ?? ""
    switch try context.invocation.required("KIND") {
    case "command": for command in table.visibleCommands { try context.output.line(command.name) }
    case "store": for word in Completer.stores(last) { try context.output.line(word) }
    case "key":
      guard let store = words.first(where: { !$0.hasPrefix("-") }), words.count > 1 else { return }
      for key in try await Completer.keys(of: store, beginning: last, context) {
        try context.output.line(key)
      }
    default: return
    }
  }
}

/// Finds words that complete a command line.
enum Completer {
  /// Returns the schemes and paths that begin with the text, as addresses of stores.
  static func stores(_ text: String) -> [String] {
    guard let colon = text.firstIndex(of: ":") else {
      return (Backends.schemes.map { $0 + ":" } + paths(text)).filter { $0.hasPrefix(text) }
    }
    let scheme = String(text[...colon])
    return paths(String(text[text.index(after: colon)...])).map { scheme + $0 }
  }

  private static func paths(_ text: String) -> [String] {
    let folder = text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
    return Paths.names(in: folder.isEmpty ? "." : folder).filter { !$0.hasPrefix(".") }.sorted()
      .map { folder + $0 + (Paths.isFolder(folder + $0) ? "/" : "") }.filter { $0.hasPrefix(text) }
  }

  /// Returns at most 100 keys of a store that begin with the text. Ends the search after 0.2 seconds: the shell waits
  /// for it.
  static func keys(of store: String, beginning text: String, _ context: Context) async throws -> [String] {
    let end = Context.seconds() + 0.2
    var request = context.request(.read)
    request.timeout = 0.2
    var pages = Pages(of: try Backends.open(store, request))
    var found: [String] = []
    while found.count < 100, Context.seconds() < end, let keys = try await pages.nextKeys() {
      found += keys.filter { $0.hasPrefix(text) && !$0.contains("\n") }
    }
    return Array(found.prefix(100))
  }
}
