import Foundation
import Testing

@testable import CommandTable
@testable import StrataCommand

/// Tests the options that no other suite uses.
@Suite struct OptionTests {
  @Test func getWritesFilesAndShowsExpiredValues() async throws {
    try await inFolder { strata in
      #expect(try strata("put", "disk:s", "a", input: #"{"n":[1]}"#).status == 0)
      #expect(try strata("get", "disk:s", "a", "-o", "file").output == "")
      #expect(FileManager.default.contents(atPath: strata.place.path + "/file") == Data(#"{"n":[1]}"#.utf8))
      #expect(try strata("get", "disk:s", "a", "--output", "-").output == #"{"n":[1]}"#)
      #expect(try strata("get", "disk:s", "a", "-o", "no/folder").status == 1)
      #expect(try strata("get", "disk:s", "a", "--as", "json").output == "{\n  \"n\": [\n    1\n  ]\n}\n")
      #expect(try strata("get", "disk:s", "a", "--as", "text").output == "{\"n\":[1]}\n")
      #expect(try strata("get", "disk:s", "a", "--as", "raw").output == #"{"n":[1]}"#)
      #expect(try strata("get", "disk:s", "a", "--as", "hex").output.hasPrefix("00000000  7b 22 6e"))

      #expect(try strata("put", "disk:s", "old", "--at", "2001-01-01", input: "1").status == 0)
      let expired = try strata("get", "disk:s", "old")
      #expect(expired.status == 3 && expired.errors.contains("expired at 2001-01-01"), "\(expired.errors)")
      #expect(try strata("get", "disk:s", "old", "--stale").output == "1")
    }
  }

  @Test func listingsCanBeSortedByExpiryAndQuiet() async throws {
    try await inFolder { strata in
      for (key, date) in [("b", "2040-01-01"), ("c", "2039-01-01")] {
        #expect(try strata("put", "disk:s", key, "--at", date, "--quiet", input: "1").errors == "")
      }
      #expect(try strata("put", "disk:s", "a", "--file", "nothing").status == 3)
      try Data("1".utf8).write(to: strata.place.appending(path: "one"))
      #expect(try strata("put", "disk:s", "a", "-f", "one", "-q").errors == "")
      #expect(try strata("ls", "disk:s", "--sort", "expiry").output == "c\nb\na\n")
      #expect(try strata("ls", "disk:s", "--sort", "expiry", "-r", "-n", "2").output == "a\nb\n")
      let lines = try strata("ls", "disk:s", "--long", "--sort", "key", "--jsonl").lines
      #expect(lines.first == #"{"key":"a","size":1,"expires":null}"#)
    }
  }

  @Test func copiesAreFilteredAndChecked() async throws {
    try await inFolder { strata in
      for key in ["a1", "a2", "b"] { #expect(try strata("put", "disk:s", key, input: key).status == 0) }
      let copied = try strata("copy", "disk:s", "sqlite:t.db", "--pattern", "a*", "--no-check", "--json")
      #expect(try JSON(json: copied.bytes)["copied"] == .integer(2), "\(copied.errors)")
      #expect(try strata("diff", "disk:s", "sqlite:t.db", "-p", "a?").status == 0)
      #expect(try strata("diff", "disk:s", "sqlite:t.db").output == "- b\n")
      #expect(try strata("dump", "sqlite:t.db", "a2").lines.count == 1)
    }
  }

  @Test func changesAreJSONLines() async throws {
    try await inFolder { strata in
      #expect(try strata("put", "disk:s", "a", input: "1").status == 0)
      #expect(try strata("watch", "disk:s", "--json").status == 2)
      let terminal = try PseudoTerminal(strata, ["watch", "disk:s", "n*", "-i", "20ms", "--jsonl"])
      #expect(terminal.wait(for: "watching 0 entries"))
      #expect(try strata("put", "disk:s", "other", input: "1").status == 0)
      #expect(try strata("put", "disk:s", "new", "--at", "2040-01-01", input: "12").status == 0)
      let line = #"{"change":"added","key":"new","size":2,"expires":"2040-01-01T00:00:00Z"}"#
      #expect(terminal.wait(for: line), "\(terminal.screen)")
      terminal.interrupt()
      let end = terminal.finish()
      #expect(end.status == 130 && end.screen.hasSuffix("interrupted: saw 1 change\r\n"), "\(end.screen)")
    }
  }

  @Test func statisticsAndMeasurementsAreLimited() async throws {
    try await inFolder { strata in
      for number in 0..<3 {
        let value = String(repeating: "text ", count: 100 + number)
        #expect(try strata("put", "disk:s", "k\(number)", input: value).status == 0)
      }
      let stats = try JSON(
        json: strata("stats", "disk:s", "k[12]", "--sample", "1", "--top", "1", "--json").bytes)
      #expect(stats["entries"] == .integer(2))
      #expect(stats["largest"] == .array([.object(["key": .text("k2"), "size": .integer(510)])]))
      guard case .array(let methods)? = stats["compression"] else {
        Issue.record("no compression: \(stats)")
        return
      }
      #expect(methods.map { $0["method"] } == [.text("zlib"), .text("lz4"), .text("zstd")])
      let bench = try strata("bench", "disk:s", "-c", "5", "-s", "10", "-b", "2")
      #expect(bench.output.hasPrefix("5 entries of 10 B\n") && bench.output.contains("put in batches of 2 "))
    }
  }

  @Test func simulateDrawsACurveAndReadsCosts() async throws {
    try await inFolder { strata in
      let requests = (0..<200).map { "key\($0 % 7 * ($0 % 3)) 100" }.joined(separator: "\n")
      try Data(requests.utf8).write(to: strata.place.appending(path: "trace"))
      let result = try strata("simulate", "trace", "--costs", "--exact", "--sizes", "50%", "--svg", "p.svg")
      #expect(result.status == 0, "\(result.errors)")
      let picture = FileManager.default.contents(atPath: strata.place.path + "/p.svg") ?? Data()
      #expect(String(decoding: picture, as: UTF8.self).contains("<svg"))
      #expect(try strata("simulate", "trace", "--sizes", "much").status == 2)
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
  func theManualPageIsFormattedWithoutWarnings() async throws {
    try await inFolder { strata in
      let page = try strata.bash("strata help --man | groff -man -Tutf8 -ww")
      #expect(page.status == 0 && page.errors == "", "\(page.errors)")
      #expect(page.output.contains("“exit”"))
    }
  }

  @Test func differencesAreCountedAndLimited() async throws {
    try await inFolder { strata in
      for key in ["a", "b", "c"] { #expect(try strata("put", "disk:s", key, input: "1").status == 0) }
      for (key, value) in [("b", "2"), ("d", "1")] {
        #expect(try strata("put", "disk:t", key, input: value).status == 0)
      }
      let limited = try strata("diff", "disk:s", "disk:t", "--limit", "2")
      #expect(limited.status == 1 && limited.lines.count == 2)
      #expect(limited.errors == "4 differences in 1 entry of both\n")
      let summary = try strata("diff", "disk:s", "disk:t", "--summary")
      #expect(summary.status == 1)
      #expect(
        summary.output
          == "only in the first   2\nonly in the second  1\nother value         1\nother expiry        0\n")
      let document = try JSON(json: strata("diff", "disk:s", "disk:t", "--summary", "--json").bytes)
      #expect(
        document
          == .object([
            "onlyInFirst": .integer(2), "onlyInSecond": .integer(1), "value": .integer(1),
            "expiry": .integer(0),
            "inBoth": .integer(1),
          ]))
    }
  }

  @Test func wordsOfOtherProgramsLeadToCommands() async throws {
    try await inFolder { strata in
      for (word, command) in [("du", "info or stats"), ("count", "info"), ("ttl", "ls --long, or expire")] {
        let result = try strata(word, "disk:s")
        #expect(result.status == 2 && result.errors.contains("Did you mean \(command)?"), "\(result.errors)")
      }
    }
  }

  @Test func theVersionIsTheReadmes() async throws {
    try await inFolder { strata in
      let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
      let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
      let version = try #require(readme.firstMatch(of: /from: "([0-9.]+)"/)).1
      #expect(try strata("--version").output == "strata \(version)\n")
    }
  }

  @Test(arguments: [[], ["help"]] + Verb.table.visibleCommands.map { ["help", $0.name] })
  func helpFitsIntoNarrowTerminals(_ words: [String]) async throws {
    try await inFolder { strata in
      var strata = strata
      strata.environment["COLUMNS"] = "60"
      let help = try strata.run(words)
      #expect(help.status == 0)
      for line in help.output.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
    }
  }

  @Test func errorsAreBrokenBetweenWords() async throws {
    try await inFolder { strata in
      var strata = strata
      let whole = try strata("put", "disk:s", "a", "--at", "tomorrow").errors
      #expect(whole.split(separator: "\n").count == 1, "a pipe gets whole lines")
      strata.environment["COLUMNS"] = "60"
      let screen = try PseudoTerminal(strata, ["put", "disk:s", "a", "--at", "tomorrow"]).finish().screen
      let lines = screen.split(whereSeparator: \.isNewline)
      #expect(lines.count > 1)
      for line in lines { #expect(line.count <= 60, "\(line)") }
      #expect(lines.joined(separator: " ") == whole.dropLast())
    }
  }

  @Test func helpAndVersionArePrinted() async throws {
    try await inFolder { strata in
      #expect(try strata("--version").output == Verb.table.version + "\n")
      #expect(try strata("help", "--man").output == Verb.table.manualPage)
      #expect(try strata("help", "copy").output == strata("copy", "--help").output)
      #expect(try strata("help", "cpoy").errors.contains("Did you mean copy?"))
      for shell in ["bash", "zsh", "fish"] {
        #expect(try strata("completion", shell).output.contains("strata __complete"))
      }
      try FileManager.default.createDirectory(
        at: strata.place.appending(path: "folder"), withIntermediateDirectories: true)
      #expect(try strata("__complete", "store", "disk:f").output == "disk:folder/\n")
      #expect(try strata("__complete", "store", "rocks").output == "rocksdb:\n")
    }
  }
}
