import Foundation
import Testing

/// Compares the documents of `--json`, which programs rely on, with files. After an intended change,
/// `STRATA_GOLDEN=write` writes the files again.
@Suite struct GoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  private static let lines = """
    {"key":"ada","expires":null,"value":{"text":"{\\"born\\":1815}"}}
    {"key":"bytes","expires":"2040-01-01T00:00:00.25Z","value":{"base64":"AP8Q"}}
    """

  @Test(arguments: [
    ["info", "disk:s"], ["ls", "disk:s", "--sort", "key"], ["ls", "disk:s", "-l", "--sort", "key"],
    ["ls", "disk:s", "nothing"], ["get", "disk:s", "ada"], ["get", "disk:s", "bytes"],
    ["get", "disk:s", "nobody"], ["stats", "disk:s"], ["verify", "disk:s"], ["compact", "disk:s"],
    ["copy", "disk:s", "sqlite:t.db"], ["diff", "disk:s", "disk:u"], ["dump", "disk:s"],
    ["load", "disk:v", "lines"], ["simulate", "trace", "--sizes", "100%"], ["bench", "disk:s", "-c", "1"],
    ["repair", "disk:s", "-y"], ["ls", "disk:nowhere"], ["lss"],
  ]) func documentsStayAsTheyAre(_ words: [String]) async throws {
    try await inFolder { strata in
      try Data(Self.lines.utf8).write(to: strata.place.appending(path: "lines"))
      try Data("a\nb\na\nb\n".utf8).write(to: strata.place.appending(path: "trace"))
      // Entries are stored one by one, so that their order is always the same.
      for line in Self.lines.split(separator: "\n") {
        #expect(try strata("load", "disk:s", input: String(line)).status == 0)
      }
      #expect(try strata("put", "disk:u", "ada", input: "1").status == 0)
      let result = try strata.run(words + ["--json"])
      let found =
        "status \(result.status)\n" + Self.stable(result.output + Self.error(result.errors), in: strata)
      let name = words.map { $0.filter { $0.isLetter || $0.isNumber || $0 == "-" } }.joined(separator: "_")
      let file = Self.folder.appending(path: "\(name).txt")
      if ProcessInfo.processInfo.environment["STRATA_GOLDEN"] == "write" {
        try Data(found.utf8).write(to: file)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == found)
    }
  }

  /// Returns the lines of JSON on standard error, which are errors. The other lines are messages for people.
  private static func error(_ text: String) -> String {
    text.split(separator: "\n").filter { $0.hasPrefix("{") }.map { $0 + "\n" }.joined()
  }

  /// Replaces the folder and the numbers that differ between machines, runs and versions of libraries.
  private static func stable(_ text: String, in strata: Strata) -> String {
    let changing = [
      "diskBytes", "storeBytes", "compressed", "before", "after", "entriesPerSecond", "medianSeconds",
      "worstSeconds",
    ]
    return text.replacing(strata.place.path, with: "PLACE").split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { line in
      guard let name = changing.first(where: { line.contains("\"\($0)\": ") }),
        let colon = line.range(of: "\"\(name)\": ")
      else { return String(line) }
      return line[..<colon.upperBound] + "NUMBER" + (line.hasSuffix(",") ? "," : "")
    }.joined(separator: "\n")
  }
}
