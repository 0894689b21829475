import Foundation
import Testing

/// Checks that all tests named by the documentation's table of faults exist.
struct FaultMatrixTests {
  @Test func everyTestThatIsNamedExists() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let table = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    var sources = ""
    let tests = folder.deletingLastPathComponent()
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    // The cells after the first of each row.
    let cells = table.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap {
      $0.split(separator: "|").dropFirst()
    }
    let names = Set(cells.flatMap { $0.matches(of: /`([A-Za-z]+)`/).map { String($0.1) } })
    #expect(names.count > 25)
    for name in names.sorted() where !["readOnlyFolder", "survivingKill"].contains(name) {
      #expect(sources.contains("func \(name)("), "there is no test \(name)")
    }
  }
}
