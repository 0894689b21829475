import CommandTable

/// A command, with the function that runs it.
struct Verb: Sendable {
  let command: Command
  let run: @Sendable (Context) async throws -> Void

  init(_ command: Command, run: @escaping @Sendable (Context) async throws -> Void) {
    self.command = command
    self.run = run
  }

  /// All commands, in the order in which the help lists them.
  static var all: [Verb] {
    [
      info, ls, get, cat, put, rm, expire, stats, verify, repair, compact, copy, diff, dump, load, watch,
      ping, top, simulate, bench, shell, completion, help, complete,
    ]
  }

  /// The version of Strata. `make release` sets it, and `make lint` checks that the pages name it too.
  static let version = "0.1.0"

  /// The commands for words of other programs.
  private static let synonyms = [
    "du": "info or stats", "size": "info or stats", "count": "info", "keys": "ls", "list": "ls", "scan": "ls",
    "ttl": "ls --long, or expire", "set": "put", "del": "rm", "delete": "rm", "remove": "rm",
    "touch": "expire", "export": "dump", "import": "load", "check": "verify", "fsck": "verify",
    "vacuum": "compact", "monitor": "watch", "health": "ping", "metrics": "top",
  ]

  /// The table of all commands and options. The parser, the help, the manual page and the completions are made from it.
  static let table = CommandTable(
    program: "strata", summary: "read, change, copy and measure any store", version: "strata \(version)",
    commands: all.map(\.command), synonyms: synonyms,
    options: [
      Option(flag: "json", "print one JSON document"),
      Option(flag: "jsonl", "print one JSON record per line"),
      Option("color", "WHEN", .choice(["auto", "always", "never"]), "when texts are coloured"),
      Option(flag: "quiet", short: "q", "print no messages and no progress"),
    ],
    sections: [
      .init("Stores", Backends.all.flatMap { $0.forms }.map { (term: $0.0, meaning: $0.1) }),
      .init(
        "Exit status",
        [
          ("0", "done"), ("1", "failed"), ("2", "wrong command line"),
          ("3", "the store or the key does not exist"),
          ("4", "damage was found"), ("5", "busy, or the timeout expired: try again"),
          ("6", "refused for lack of a permission, of a key, or of a “yes”"),
          ("7", "done, but damaged entries were skipped"), ("130", "interrupted"),
        ]),
      .init(
        "Environment",
        [
          ("STRATA_KEY_FILE", "the file of the key of a vault or of encrypted values"),
          ("STRATA_PASSWORD_FILE", "a file with the password of a server or a vault"),
          ("STRATA_PASSWORD", "that password itself"),
          ("NO_COLOR", "if this variable is not empty, output is not coloured"),
        ]),
    ])
}

extension Argument {
  static let store = Argument("STORE", "the address of a store", completion: .program("store"))
  static let stores = Argument(
    "STORE", "the addresses of stores", count: .many, completion: .program("store"))
  static let key = Argument("KEY", "a key", completion: .program("key"))
  static let pattern = Argument(
    "PATTERN", "only keys that match, such as 'user:*' or '[a-f]?'", count: .optional)
}

extension [Option] {
  /// The options of every command that opens a store.
  static let store =
    access + [
      Option("timeout", "TIME", .duration, "the maximum time to wait for a lock or a server")
    ]

  /// The options that give secrets.
  static let access: [Option] = [
    Option(
      "key-file", "FILE", .file, "the key of a vault, or of encrypted values", environment: "STRATA_KEY_FILE"),
    Option(
      "password-file", "FILE", .file, "a file with the password of a server or a vault",
      environment: "STRATA_PASSWORD_FILE"),
  ]

  /// The options of commands that read all entries.
  static let reading =
    store + [Option(flag: "strict", "end at the first damaged entry, instead of skipping it")]

  /// The options that set an expiry.
  static let expiry: [Option] = [
    Option("in", "TIME", .duration, "expire after a time, such as 10m, 1.5h or 7d"),
    Option("at", "DATE", .text, "expire at a date, such as 2030-01-31T23:59:59Z"),
  ]

  /// The options of commands that remove entries.
  static let destruction: [Option] = [
    Option(flag: "yes", short: "y", "do not ask"),
    Option(flag: "dry-run", short: "n", "only print the planned changes"),
  ]
}
