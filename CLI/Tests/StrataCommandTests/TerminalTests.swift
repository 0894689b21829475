import Foundation
import Testing

@testable import StrataCommand

/// Runs commands on a pseudo-terminal, and tests the features of a terminal: tables, colours, questions, progress, the
/// shell.
@Suite struct TerminalTests {
  @Test func tablesAreColouredOnATerminal() async throws {
    try await inFolder { strata in
      _ = try strata("put", "disk:s", "a\u{1B}[2Jb", input: "12345")
      _ = try strata("put", "disk:s", "soon", "--in", "5430s", input: Strings.large)
      let listing = try PseudoTerminal(strata, ["ls", "disk:s", "-l", "--sort", "key"]).finish()
      #expect(listing.status == 0)
      #expect(
        listing.screen.replacing("\r\n", with: "\n") == """
          \u{1B}[1m      size  expires in  key\u{1B}[0m
                 5 B       never  a\\u{1B}[2Jb
              4.2 kB      1h 30m  soon

          """, "\(listing.screen)")
      let plain = try PseudoTerminal(strata, ["ls", "disk:s", "-l", "--color=never"]).finish()
      #expect(!plain.screen.contains("\u{1B}"))
      for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        var plain = strata
        plain.environment[name] = value
        let screen = try PseudoTerminal(plain, ["ls", "disk:s", "-l"]).finish().screen
        #expect(screen.contains("soon") && !screen.contains("\u{1B}"), "\(name)")
      }
      // JSON does not depend on the terminal.
      let json = try PseudoTerminal(strata, ["ls", "disk:s", "soon", "--json"]).finish().screen
      #expect(json.replacing("\r\n", with: "\n") == (try strata("ls", "disk:s", "soon", "--json").output))
      #expect(try strata("ls", "disk:s", "-l", "--color=always").output.hasPrefix("5\tnever\ta"))
    }
  }

  private enum Strings { static let large = String(repeating: "x", count: 4200) }

  @Test func valuesAreDecodedOnATerminal() async throws {
    try await inFolder { strata in
      _ = try strata("put", "disk:s", "json", input: #"{"b":[1,2],"a":null}"#)
      _ = try strata.run(["put", "disk:s", "bytes"], input: Data([0, 1, 2, 0xFE]))
      _ = try strata("put", "disk:s", "text", input: "a\tb\u{1B}[1m\n")
      func shown(_ key: String) throws -> String {
        try PseudoTerminal(strata, ["get", "disk:s", key]).finish().screen.replacing("\r\n", with: "\n")
      }
      #expect(try shown("json") == "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": null\n}\n")
      #expect(
        try shown("bytes")
          == "00000000  00 01 02 fe                                       |....|\n")
      #expect(try shown("text") == "00000000  61 09 62 1b 5b 31 6d 0a                           |a.b.[1m.|\n")
    }
  }

  @Test func questionsAreAsked() async throws {
    try await inFolder { strata in
      for key in ["a1", "a2", "b"] { _ = try strata("put", "disk:s", key, input: "1") }
      for (answer, left) in [("n\n", 3), ("\n", 3), ("yes\n", 1)] {
        let terminal = try PseudoTerminal(strata, ["rm", "disk:s", "-p", "a*"])
        #expect(terminal.wait(for: "Remove 2 entries? [y/N]"))
        try terminal.type(answer)
        #expect(terminal.finish().status == (left == 1 ? 0 : 6))
        #expect(try strata("ls", "disk:s").lines.count == left)
      }
    }
  }

  @Test func passphrasesAreAskedForAndNotShown() async throws {
    try await inFolder { strata in
      var knowing = strata
      knowing.environment["STRATA_PASSWORD"] = "open sesame"
      #expect(try knowing("put", "vault:v?service=s", "token", input: "secret value").status == 0)
      #expect(try strata("get", "vault:v?service=s", "token").status == 6)
      let terminal = try PseudoTerminal(strata, ["get", "vault:v?service=s", "token"])
      #expect(terminal.wait(for: "Passphrase of v: "))
      try terminal.type("open sesame\n")
      let end = terminal.finish()
      #expect(end.status == 0 && end.screen.contains("secret value") && !end.screen.contains("sesame"))
      knowing.environment["STRATA_PASSWORD"] = "wrong"
      #expect(try knowing("get", "vault:v?service=s", "token").status == 6)
    }
  }

  @Test func anInterruptedCopyCanBeContinued() async throws {
    try await inFolder { strata in
      let value = String(repeating: "v", count: 500)
      let lines = (0..<1000).map {
        #"{"key":"\#($0)","expires":"2040-01-01T00:00:00Z","value":{"text":"\#(value)"}}"#
      }
      #expect(try strata("load", "disk:a", input: lines.joined(separator: "\n")).status == 0)
      let terminal = try PseudoTerminal(strata, ["copy", "disk:a", "sqlite:b.db", "--rate", "100kB/s"])
      // The first line of progress, after half a second, ends with the remaining time.
      #expect(terminal.wait(for: " left"), "\(terminal.screen)")
      terminal.interrupt()
      let end = terminal.finish()
      #expect(end.status == 130)
      #expect(end.screen.contains("interrupted: copied "), "\(end.screen)")
      #expect(end.screen.contains("run the same command again to continue"))
      #expect(try strata("verify", "sqlite:b.db").status == 0)
      let count = try strata("ls", "sqlite:b.db").lines.count
      #expect(count > 0 && count < 1000)
      #expect(
        try strata("copy", "disk:a", "sqlite:b.db").output.hasSuffix(
          "; \(Units.count(count)) were there already\n"))
      #expect(try strata("diff", "disk:a", "sqlite:b.db").status == 0)
    }
  }

  @Test func theShellEndsWithItsTerminalAlsoWithinALine() async throws {
    try await inFolder { strata in
      _ = try strata("put", "disk:s", "a", input: "1")
      // Without the signal of a terminal that ends, as in a container.
      let terminal = try PseudoTerminal(
        strata, program: "bash", ["-c", "trap '' HUP; exec strata shell disk:s"])
      #expect(terminal.wait(for: "> "))
      try terminal.type("ls")
      #expect(terminal.wait(for: "> ls"))
      #expect(try terminal.hangUp())
    }
  }

  @Test func theShellHasHistoryAndCompletion() async throws {
    try await inFolder { strata in
      _ = try strata("put", "disk:s", "a long key", input: "found\n")
      let terminal = try PseudoTerminal(strata, ["shell", "disk:s"])
      #expect(terminal.wait(for: "> "))
      // Tab completes the command and the key; Control-W removes the last word.
      try terminal.type("ge\ta l\u{17}\u{17}a\t\r")
      #expect(terminal.wait(for: "found"), "\(terminal.screen)")
      #expect(terminal.wait(for: "> "))
      try terminal.type("\u{1B}[A\u{3}exit\r")
      #expect(terminal.finish().status == 0)
      let history = strata.place.appending(path: ".local/state/strata/history")
      #expect(try String(contentsOf: history, encoding: .utf8) == "get 'a long key' \nexit\n")
      let again = try PseudoTerminal(strata, ["shell", "disk:s"])
      #expect(again.wait(for: "> "))
      try again.type("\u{1B}[A\u{1B}[A\r")
      #expect(again.wait(for: "found"))
      #expect(again.wait(for: "> "))
      try again.type("\u{4}")
      let end = again.finish()
      #expect(end.status == 0, "\(end.screen)")
    }
  }
}
