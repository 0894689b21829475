/// All commands of a program: the one source of its parser, help, manual page and completions.
package struct CommandTable: Sendable {
  /// The name of the program.
  package let program: String
  /// The purpose of the program, in one line without a full stop.
  package let summary: String
  /// The version, as `--version` prints it.
  package let version: String
  /// The commands, in the order of the help.
  package let commands: [Command]
  /// The options of every command.
  package let options: [Option]
  /// Further sections of the help and the manual page: a title, and lines of a term and its meaning.
  package let sections: [Section]

  /// A section of terms and their meanings.
  package struct Section: Sendable {
    /// The title.
    package let title: String
    /// The terms and their meanings.
    package let terms: [(term: String, meaning: String)]

    /// Makes a section.
    package init(_ title: String, _ terms: [(term: String, meaning: String)]) {
      self.title = title
      self.terms = terms
    }
  }

  /// Makes a table. `--help` and `--version` are added to the options.
  package init(
    program: String, summary: String, version: String, commands: [Command], options: [Option] = [],
    sections: [Section] = []
  ) {
    self.program = program
    self.summary = summary
    self.version = version
    self.commands = commands
    self.options =
      options + [
        Option(flag: "help", short: "h", "print this help"), Option(flag: "version", "print the version"),
      ]
    self.sections = sections
  }

  /// The commands that help and completions show.
  package var visibleCommands: [Command] { commands.filter { !$0.isHidden } }

  /// Returns the command of a name, or throws with the name that was probably meant.
  package func command(_ name: String) throws(UsageError) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw UsageError(
      "there is no command \(quoted(name)); \(program) help lists all",
      meant: Spelling.nearest(to: name, among: visibleCommands.map(\.name)))
  }
}
