import Foundation
import StrataCore
import Testing

@testable import StrataDisk

/// Batches that contain a key more than once.
struct RepeatedKeyTests {
  @Test(arguments: [DiskLayout.automatic, .packed, .files], [100, 200_000])
  func itIsRemovedOnce(_ layout: DiskLayout, _ size: Int) throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    for key in ["k", "l", "m"] { try disk.setObject(bytes(size), forKey: key, expiry: nil) }
    try disk.removeObjects(forKeys: ["k", "k", "é", "e\u{301}", "k"])
    try disk.removeObjects(forKeys: ["k", "l", "l"])
    #expect(try disk.keys() == ["m"])
    #expect(disk.totalSize == (layout == .files ? try folder.entryBytes() : try folder.logBytes()))
    #expect(try disk.entries(forKeys: ["m", "m", "k"]).mapValues(\.object) == ["m": bytes(size)])
    #expect(try disk.verify() == [])
  }

  /// If the bytes of a removed entry were subtracted twice, the files could exceed the limit.
  @Test func theLimitHoldsThroughRepeatedRemovals() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: 3_000_000)
    for round in 0..<30 {
      try disk.setObject(Data(count: 500_000), forKey: round, expiry: nil)
      if round % 2 == 0 { try disk.removeObjects(forKeys: [round, round, round]) }
      #expect(try folder.logBytes() <= 3_000_000)
      #expect(disk.totalSize == (try folder.logBytes()))
    }
  }

  /// A key whose text omits a part of it, so that different keys have the same entry.
  private struct Blurred: StorageKey {
    let text: String
    let detail: Int
    var storageKey: String { text }
    init(text: String, detail: Int) {
      self.text = text
      self.detail = detail
    }
    init?(storageKey: String) { self.init(text: storageKey, detail: 0) }
  }

  @Test(arguments: [DiskLayout.automatic, .packed, .files])
  func keysOfOneTextAreOne(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open(Blurred.self)
    let batch = Dictionary(
      uniqueKeysWithValues: (0..<3).map { (Blurred(text: "k", detail: $0), bytes(200_000, seed: $0)) })
    try disk.setObjects(batch, expiry: nil)
    let value = try disk.object(forKey: Blurred(text: "k", detail: 0))
    #expect(batch.values.contains(value))
    try disk.removeObjects(forKeys: Array(batch.keys))
    #expect(try disk.entryIfPresent(forKey: Blurred(text: "k", detail: 1)) == nil)
    if layout != .files { #expect(disk.totalSize == (try folder.logBytes())) }
    #expect(try disk.verify() == [])
  }
}
