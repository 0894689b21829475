/// All commands and options of a program. The parser, the help, the manual page and the completions are made from them.
package struct CommandTable: Sendable {
  /// The name of the program.
  package let program: String
  /// The purpose of the program, in one line without a full stop.
  package let summary: String
  /// The version, as `--version` prints it.
  package let version: String
  /// The commands, in the order in which the help lists them.
  package let commands: [Command]
  /// The command, or the commands in words, for names that other programs give them.
  let synonyms: [String: String]
  /// The options that every command has.
  package let options: [Option]
  /// Further sections of the help and the manual page.
  package let sections: [Section]

  /// A section of the help that explains terms.
  package struct Section: Sendable {
    /// The title of the section.
    package let title: String
    /// The terms and their meanings.
    package let terms: [(term: String, meaning: String)]

    /// Creates a section.
    package init(_ title: String, _ terms: [(term: String, meaning: String)]) {
      self.title = title
      self.terms = terms
    }
  }

  /// Creates a table. Adds `--help` and `--version` to the options.
  package init(
    program: String, summary: String, version: String, commands: [Command],
    synonyms: [String: String] = [:], options: [Option] = [], sections: [Section] = []
  ) {
    self.program = program
    self.summary = summary
    self.version = version
    self.commands = commands
    self.synonyms = synonyms
    self.options =
      options + [
        Option(flag: "help", short: "h", "print this help"), Option(flag: "version", "print the version"),
      ]
    self.sections = sections
  }

  /// The commands that are not hidden from the help and the completions.
  package var visibleCommands: [Command] { commands.filter { !$0.isHidden } }

  /// Returns the command with a name. If there is none, throws an error with the name that was probably meant.
  package func command(_ name: String) throws(UsageError) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw UsageError(
      "there is no command \(quoted(name)); \(program) help lists all",
      meant: synonyms[name] ?? Spelling.nearest(to: name, among: visibleCommands.map(\.name)))
  }
}
