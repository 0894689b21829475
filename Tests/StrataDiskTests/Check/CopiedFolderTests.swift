#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Testing

@testable import StrataDisk

/// Folders that `cp -a` has copied, wholly or in part, and folders as a loss of power leaves them.
struct CopiedFolderTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder(.automatic) }

  private var control: URL { folder.store.appending(path: "control") }

  private func fill() throws {
    let disk = try folder.open(Int.self)
    for key in 0..<10_000 { try disk.setObject(bytes(500, seed: key), forKey: key, expiry: nil) }
    for key in 20_000..<20_003 { try disk.setObject(bytes(70_000, seed: key), forKey: key, expiry: nil) }
    #expect(try folder.segments().count > 5)
  }

  /// Makes the control file one of an earlier boot.
  private func restart() throws {
    var page = Array(try Data(contentsOf: control))
    for byte in Array(8..<16) + Array(40..<48) { page[byte] ^= 0xA5 }
    let checksum = page[0..<104].withUnsafeBytes { XXH64.hash($0) }
    page.replaceSubrange(104..<112, with: [UInt8](littleEndian: checksum))
    let file = try File(control.path, O_WRONLY)
    try file.write(page, at: 0)
  }

  private func delete(_ segments: [URL]) throws {
    for segment in segments { try FileManager.default.removeItem(at: segment) }
  }

  enum Loss: CaseIterable { case none, first, firstThree, firstAndLast, middle, last }

  @Test(arguments: Loss.allCases, [false, true])
  func aCopyReportsExactlyWhatItLacks(_ loss: Loss, isOfAnEarlierBoot: Bool) throws {
    try fill()
    try folder.copyStore()
    if isOfAnEarlierBoot { try restart() }
    let segments = try folder.segments()
    switch loss {
    case .none: break
    case .first: try delete([segments[0]])
    case .firstThree: try delete(Array(segments[0..<3]))
    case .firstAndLast: try delete([segments[0], segments[segments.count - 1]])
    case .middle: try delete([segments[2]])
    case .last: try delete([segments[segments.count - 1]])
    }
    let expected = loss == .none ? 0 : loss == .firstAndLast ? 2 : 1

    // A store that only reads repairs nothing, so each one reports the loss, and `verify()` finds missing segments.
    var config = DiskConfig(
      name: "store", directory: folder.url, onDamage: { [damage = folder.damage] in damage.add($0) })
    config.isReadOnly = true
    let reader = try DiskStorage<Int>(config: config)
    #expect(folder.damage.all.count == expected)
    let missing = [Loss.none: 0, .firstThree: 3, .firstAndLast: 2][loss] ?? 1
    #expect(try reader.verify().count { $0.kind == .damaged } == missing)

    let disk = try folder.open(Int.self)
    #expect(folder.damage.all.count == 2 * expected)
    #expect(folder.damage.all.allSatisfy { $0.message.contains("lost") })
    #expect(try (disk.keys().count == 10_003) == (loss == .none))
    #expect(try disk.verify() == [])
    #expect(try disk.totalSize == folder.logBytes())
    let again = try folder.open(Int.self)
    #expect(folder.damage.all.count == 2 * expected)
    #expect(try again.keys().count == disk.keys().count)
  }

  /// A control file that was written back before the oldest segment was deleted.
  @Test func aLossOfPowerIsNotReported() throws {
    try fill()
    try restart()
    try delete([try folder.segments()[0]])
    _ = try folder.open(Int.self)
    #expect(folder.damage.all == [])
  }

  /// A copy of a folder whose writer was killed.
  @Test func aKilledWriterIsNotReported() throws {
    try fill()
    try folder.copyStore()
    try folder.markUnfinished()
    try delete([try folder.segments()[0]])
    _ = try folder.open(Int.self)
    #expect(folder.damage.all == [])
  }

  /// Without the last segments and the control file, no record names the files of their values.
  @Test func valueFilesWithoutRecordsAreKept() throws {
    try fill()
    let values = try folder.names("Values")
    #expect(values.count == 3)
    try delete([control, try #require(try folder.segments().last)])
    let disk = try folder.open(Int.self)
    #expect(try folder.names("Values") == [])
    #expect(try folder.damagedNames().count { $0.contains(".value") } == 3)
    #expect(folder.damage.all.count == 1)
    #expect(try disk.verify() == [])
    // From now on a file without a record is one that a killed process has left.
    _ = try folder.open(Int.self)
    #expect(folder.damage.all.count == 1)
  }
}
