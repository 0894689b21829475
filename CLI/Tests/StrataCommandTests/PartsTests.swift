import Foundation
import Testing

@testable import CommandTable
@testable import StrataCommand

/// Tests the parts of the command without starting the executable.
@Suite struct PartsTests {
  @Test func progressComesAfterHalfASecond() {
    var (time, shown) = (100.0, [String]())
    var progress = Progress("copied", total: 1000, now: { time }, print: { shown.append($0) })
    for (moment, entries) in [(100.4, 40), (100.5, 50), (100.55, 55), (101, 100), (110, 1000)] {
      time = moment
      progress.show(entries: entries, bytes: entries * 1000)
    }
    progress.end()
    progress.end()
    #expect(
      shown == [
        "\r\u{1B}[Kcopied 50 of 1 000 entries, 50.0 kB, 100.0 kB/s, 10s left",
        "\r\u{1B}[Kcopied 100 of 1 000 entries, 100.0 kB, 100.0 kB/s, 9s left",
        "\r\u{1B}[Kcopied 1 000 of 1 000 entries, 1.0 MB, 100.0 kB/s", "\r\u{1B}[K",
      ])
  }

  @Test func progressInBytesNamesTheRestOfTheTime() {
    var (time, shown) = (100.0, [String]())
    var progress = Progress("read", total: 4_000_000, now: { time }, print: { shown.append($0) })
    for (moment, bytes) in [(100.4, 40), (101, 1_000_000), (101.05, 1_100_000), (104, 4_000_000)] {
      time = moment
      progress.show(bytes: bytes)
    }
    progress.end()
    #expect(
      shown == [
        "\r\u{1B}[Kread 1.0 MB of 4.0 MB, 1.0 MB/s, 3s left", "\r\u{1B}[Kread 4.0 MB of 4.0 MB, 1.0 MB/s",
        "\r\u{1B}[K",
      ])
  }

  /// The hash of a copied value must not depend on the parts of the stores.
  @Test func sumsDoNotDependOnParts() {
    let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    func sum(_ size: Int, _ bytes: Data) -> Int {
      var (sum, rest) = (ByteSum(), bytes)
      while !rest.isEmpty {
        sum.add(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      return sum.value
    }
    let whole = sum(.max, bytes)
    for size in [1 << 16, 1000, 65_535, 65_537, 200_000] { #expect(sum(size, bytes) == whole) }
    #expect(sum(1000, bytes.dropLast()) != whole)
    var other = bytes
    other[131_072] ^= 1
    #expect(sum(1000, other) != whole)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2000-02-29T12:30:15Z", 951_827_415), ("1969-12-31T23:59:59.5Z", -0.5),
    ("2100-03-01T00:00:00Z", 4_107_542_400), ("2038-01-19T03:14:07.123456Z", 2_147_483_647.123456),
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("12345-06-07T00:00:00Z", 327_416_947_200),
  ]) func timestampsAreReadAsTheyAreWritten(_ text: String, _ seconds: Double) {
    #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == text)
    #expect(Timestamp.date(text).map { abs($0.timeIntervalSince1970 - seconds) < 1e-6 } == true)
  }

  @Test(arguments: [
    "", "2030", "2030-13-01", "2030-02-30", "2030-01-01T25:00", "2030-01-01T10", "30-01-01",
    "2030-01-01T10:00:61", "2030-01-01T10:00:0x1F", "2030-01-01T10:00:1e1", "2030-01-01T10:00:+1",
    "+030-01-01",
  ]) func noTimestamps(_ text: String) { #expect(Timestamp.date(text) == nil) }

  @Test func shortTimestampsMeanMidnight() {
    #expect(Timestamp.date("2030-01-31") == Timestamp.date("2030-01-31T00:00:00Z"))
    #expect(Timestamp.date("2030-01-31 10:20") == Timestamp.date("2030-01-31T10:20:00Z"))
  }

  @Test(arguments: [
    (0.5, "0.5s"), (59.4, "59s"), (60, "1m"), (90, "1m 30s"), (5400, "1h 30m"), (259_200, "3d"),
    (40_000_000, "1y 97d"), (-90, "-1m 30s"),
  ]) func spans(_ seconds: Double, _ text: String) { #expect(Timestamp.span(seconds) == text) }

  @Test(arguments: [
    ("*", "", true), ("*", "abc", true), ("a*c", "abbc", true), ("a*c", "abb", false), ("?", "é", true),
    ("?", "", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[]]", "]", true),
    ("a\\*", "a*", true),
    ("a\\*", "ab", false), ("*a*b*", "xxaxxbxx", true), ("*a*b", "ab b", true),
    ("user:*:n", "user:1:2:n", true),
    ("", "", true), ("", "a", false), ("[a-]", "-", true),
  ]) func patterns(_ pattern: String, _ key: String, _ matches: Bool) throws {
    #expect(try Pattern(pattern).matches(key) == matches)
  }

  @Test(arguments: ["[", "[a", "[z-a]", "[]"]) func invalidPatternsAreRefused(_ text: String) {
    #expect(throws: Failure.self) { try Pattern(text) }
  }

  @Test(arguments: [
    #"{"b":1,"a":[true,false,null,-0.5,1e3,"x"],"c":{}}"#, #"[]"#, #""\"\\\n\u0001é😀""#, "12345678901234567",
  ]) func jsonIsReadAsItIsWritten(_ text: String) throws {
    let json = try JSON(json: text.utf8)
    #expect(try JSON(json: json.compact.utf8).compact == json.compact)
    #expect(try JSON(json: json.pretty.utf8).compact == json.compact)
    #expect(json.compact == text.replacing("1e3", with: "1000"))
  }

  @Test func controlCharactersAreEscaped() {
    let text = "a\u{9B}2J\u{7F}\u{0}"
    #expect(JSON.text(text).compact == #""a\u009b2J\u007f\u0000""#)
    #expect(Terminal.safe(text) == #"a\u{009B}2J\u{7F}\0"#)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "01", "1.", "+1", "nul", "\"\u{1}\"", #""\x""#, #""\ud800""#, "1 2", "--1",
    #""\u+041""#, "1.e5",
  ]) func whatIsNoJSONIsRefused(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSON(json: text.utf8) }
  }

  @Test func deepJSONIsRefused() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONSyntaxError.self) { try JSON(json: deep.utf8) }
  }

  @Test(arguments: [
    ("disk:/a/b", "/a/b"), ("disk:a b", "a b"), ("disk:///a", "/a"), ("disk:a%20%C3%A9", "a é"),
    ("DISK:a", "a"),
  ]) func addresses(_ text: String, _ path: String) throws {
    let url = try StoreURL(text)
    #expect(url.scheme == "disk" && url.path == path)
  }

  @Test(arguments: ["disk:a%", "disk:a%2", "disk:a%zz", "disk:a%+5", "disk:a%-0", "disk:a%FF"])
  func invalidAddressesAreRefused(_ text: String) { #expect(throws: Failure.self) { try StoreURL(text) } }

  @Test func linesAreSplitAsByAShell() {
    #expect(Words.split(#" get 'a b' "c \" d" e\ f '' "#) == ["get", "a b", #"c " d"#, "e f", ""])
    #expect(Words.split("'a") == nil)
    for word in ["", "a b", "it's", #"\"#, "plain"] { #expect(Words.split(Words.quoted(word)) == [word]) }
  }

  @Test func linesAreEdited() {
    var editor = LineEditor(history: ["old", "older"])
    for key: LineEditor.Key in [
      .character("a"), .character("c"), .left, .character("b"), .home, .delete, .end, .backspace, .up, .up,
      .up,
      .down, .down,
    ] { editor.press(key) }
    #expect(editor.text == "b")
    for key: LineEditor.Key in [.up, .up, .left, .killRest, .killWord, .character("é")] { editor.press(key) }
    #expect(editor.text == "é" && editor.cursor == 1)
    #expect(editor.complete(with: ["éa1", "éa2"], from: 0) == [])
    #expect(editor.text == "éa")
    #expect(editor.complete(with: ["éa1", "éa2"], from: 0) == ["éa1", "éa2"])
    #expect(editor.complete(with: ["éa1"], from: 0) == [] && editor.text == "éa1 ")
  }

  @Test func everyOptionOfTheTableIsInHelpManualPageAndCompletions() {
    let table = Verb.table
    let page = table.manualPage.replacing("\\-", with: "-")
    #expect(page.utf8.allSatisfy { $0 < 0x80 })
    let scripts = CommandTable.shells.map { ($0, table.completions(for: $0) ?? "") }
    #expect(Set(table.commands.map(\.name)).count == table.commands.count)
    for command in table.visibleCommands {
      let help = table.help(of: command)
      #expect(table.help().contains("\n  \(command.name)"))
      let all = table.options + command.options
      #expect(Set(all.map(\.name)).count == all.count, "\(command.name)")
      let letters = all.compactMap(\.short)
      #expect(Set(letters).count == letters.count, "\(command.name)")
      for option in all {
        #expect(help.contains("--\(option.name)") && page.contains("--\(option.name)"))
        for (shell, script) in scripts {
          #expect(script.contains(shell == "fish" ? "-l \(option.name)" : "--\(option.name)"), "\(shell)")
        }
      }
    }
  }
}
