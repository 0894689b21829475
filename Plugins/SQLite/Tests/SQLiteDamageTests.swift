#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import StrataSQLite
import TestSupport
import Testing

@Suite struct SQLiteDamageTests {
  let file = TestFile()

  private func fill() throws {
    let store = try file.open()
    let values = (0..<500).map { ("key \($0)", Data(repeating: UInt8($0 % 251), count: 300)) }
    try store.setObjects(Dictionary(uniqueKeysWithValues: values), expiry: nil)
  }

  @Test func anUndamagedFilePassesTheCheck() throws {
    try fill()
    #expect(try file.open().integrityCheck().isEmpty)
  }

  @Test func damageIsFound() throws {
    try fill()
    // Overwrites the pages from the tenth on, as after a disk fault.
    var bytes = try file.bytes
    bytes.replaceSubrange(9 * 4096..<20 * 4096, with: Data(repeating: 0xA5, count: 11 * 4096))
    try bytes.write(to: URL(filePath: file.path))
    let store = try file.open()
    #expect(try !store.integrityCheck().isEmpty)
    let errors = (0..<500).compactMap { number in failure { try store.object(forKey: "key \(number)") } }
    #expect(errors.contains(.malformedFileAttributes))
    #expect(errors.contains { ($0.cause as? SQLiteError)?.name == "SQLITE_CORRUPT" })
    #expect(errors.allSatisfy { $0.place == file.path })
  }
}
