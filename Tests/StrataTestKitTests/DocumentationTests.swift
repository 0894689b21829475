import Foundation
import StrataTestKit
import Testing

@Test("the documentation lists all promises with their sentences, in order")
func documentation() throws {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let page = try String(contentsOf: root.appending(path: "Documentation/TestingAStorage.md"), encoding: .utf8)
  let heading = try #require(page.range(of: "\n## The promises\n"))
  let rows = page[heading.upperBound...].split(separator: "\n").filter { $0.hasPrefix("| `") }
    .map { $0.split(separator: "|", maxSplits: 2).prefix(2).joined(separator: "|") }
  #expect(rows == Contract.allCases.map { " `\($0)` | \($0.sentence) " })
}
