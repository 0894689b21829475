import Foundation
import StrataTestKit
import Testing

@Test("the documentation lists all promises with their sentences, in order")
func documentation() throws {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let page = try String(contentsOf: root.appending(path: "Documentation/TestingAStorage.md"), encoding: .utf8)
  let heading = try #require(page.range(of: "\n## The promises\n"))
  let end = try #require(page.range(of: "\n## Chains\n"))
  let rows = page[heading.upperBound..<end.lowerBound].split(separator: "\n").filter { $0.hasPrefix("| `") }
    .map { $0.split(separator: "|", maxSplits: 2).prefix(2).joined(separator: "|") }
  #expect(rows == Contract.allCases.map { " `\($0)` | \($0.sentence) " })
}

@Test("the documentation lists the promises of chains with their circumstances, in order")
func documentationOfChains() throws {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let page = try String(contentsOf: root.appending(path: "Documentation/TestingAStorage.md"), encoding: .utf8)
  let heading = try #require(page.range(of: "\n## Chains\n"))
  let rows = page[heading.upperBound...].split(separator: "\n").filter { $0.hasPrefix("| `") }.map(
    String.init)
  #expect(
    rows
      == ChainPromise.allCases.map { promise in
        let marks = Circumstance.allCases.map { circumstance in
          ChainCheck.allCases.contains { $0.promise == promise && $0.circumstance == circumstance }
            ? " ✓ |" : " |"
        }
        return "| `\(promise)` | \(promise.sentence) |\(marks.joined())"
      })
}
