import Foundation
import Testing

/// Runs every command in the console blocks of the README, and compares its output with the text below it.
@Suite struct ReadmeTests {
  private struct Step {
    let command: String
    var output: [String] = []
  }

  @Test func theSessionsOfTheReadmePrintTheirOutput() async throws {
    let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
    let steps = Self.steps(of: try String(contentsOf: readme.standardizedFileURL, encoding: .utf8))
    #expect(steps.count > 20)
    try await inFolder { strata in
      for step in steps {
        let result = try strata.bash("{ \(step.command); } 2>&1")
        let found = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let lines = found.last == "" ? found.dropLast() : found[...]
        #expect(
          lines.count == step.output.count && zip(lines, step.output).allSatisfy(Self.matches),
          "\(step.command)\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  /// Returns whether a line of output equals a line of the README, where “…” stands for any text.
  private static func matches(_ line: String, _ written: String) -> Bool {
    var rest = line[...]
    let parts = written.components(separatedBy: "…")
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst() {
      if part.isEmpty { continue }
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.isEmpty || written.hasSuffix("…")
  }

  private static func steps(of text: String) -> [Step] {
    var steps: [Step] = []
    var isInside = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if isInside, let last = steps.indices.last {
        steps[last].output.append(line)
      }
    }
    return steps
  }
}
