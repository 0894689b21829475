import Foundation
import Testing

/// Types command lines into real shells on a terminal, and lets the shells complete words. Omits shells that are not
/// installed.
@Suite struct ShellCompletionTests {
  private static let shells = ["bash", "zsh", "fish"].filter { shell in
    ["/bin", "/usr/bin", "/usr/local/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
    }
  }

  @Test(arguments: shells) func tabCompletesALine(_ shell: String) async throws {
    try await inFolder { strata in
      var strata = strata
      strata.environment["TERM"] = "dumb"
      #expect(try strata("put", "disk:s", "long key: ü", input: "found 'it'\n").status == 0)
      let file = shell == "zsh" ? "_strata" : "completions"
      #expect(try strata.bash("strata completion \(shell) > \(file)").status == 0)
      let options = ["bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]]
      let terminal = try PseudoTerminal(strata, program: shell, (options[shell] ?? []) + ["-i"])
      let load =
        shell == "zsh" ? "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D" : "source completions"
      try terminal.type("\(load); echo 'the shell is'' ready'\r")
      #expect(terminal.wait(for: "the shell is ready"), "\(terminal.screen)")
      // Completes a command, the scheme of a store, and a key that has to be quoted.
      try terminal.type("strata ge\tdis\ts lo\t\r")
      #expect(terminal.wait(for: "found 'it'"), "\(terminal.screen)")
      // Completes an option after a quoted word, and the value of an option.
      try terminal.type("strata expire disk:s 'long key: ü' --nev\t\r")
      #expect(terminal.wait(for: "expires: never"), "\(terminal.screen)")
      try terminal.type("strata ls --color al\tdisk:s | tr l L\r")
      #expect(terminal.wait(for: "Long key"), "\(terminal.screen)")
      try terminal.type("exit\r")
      #expect(terminal.finish().status == 0)
    }
  }
}
