#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Dispatch
import StrataCore
import Testing

@testable import StrataDisk

struct DamageTests {
  let folder: TestFolder
  private let value = text("a value")

  init() throws { folder = try TestFolder() }

  private func store(_ damage: Damage) throws {
    let disk = try folder.open()
    try disk.setObject(value, forKey: "k", expiry: nil)
    try disk.setObject(text("of another key"), forKey: "other", expiry: nil)
    try damage.strike(folder.file(of: "k"), other: folder.file(of: "other"))
  }

  /// Expects one error with the key and the file, and then an absent key. The file must be kept, and the key must be
  /// writable again.
  private func expectReportedOnce(_ read: (DiskStorage<String>) throws -> Void) throws {
    let disk = try folder.open()
    let error = failure { try read(disk) }
    #expect(error == .malformedFileAttributes)
    #expect(error?.key as? String == "k")
    #expect(error?.place == folder.file(of: "k").path)
    #expect(error?.cause == nil)
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
    let kept = try folder.damagedNames()
    #expect(kept.count == 1)
    #expect(kept.allSatisfy { $0.hasPrefix(EntryName.of(Array("k".utf8))) })
    #expect(folder.damage.all == [])
    try disk.setObject(value, forKey: "k", expiry: nil)
    #expect(try disk.object(forKey: "k") == value)
    #expect(try disk.object(forKey: "other") == text("of another key"))
  }

  @Test(arguments: Damage.kinds)
  func aReadReportsItOnce(_ damage: Damage) throws {
    try store(damage)
    try expectReportedOnce { _ = try $0.entryIfPresent(forKey: "k") }
  }

  @Test(arguments: Damage.kinds)
  func readingTheExpiryReportsItOnce(_ damage: Damage) throws {
    try store(damage)
    try expectReportedOnce { _ = try $0.expiryIfPresent(forKey: "k") }
  }

  @Test(arguments: Damage.kinds)
  func aScanReportsItOnceAndGoesOn(_ damage: Damage) throws {
    try store(damage)
    let disk = try folder.open()
    #expect(try disk.keys() == ["other"])
    #expect(folder.damage.all == [.malformedFileAttributes])
    #expect(folder.damage.all.first?.place == folder.file(of: "k").path)
    #expect(try folder.damagedNames().count == 1)
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
    #expect(try folder.open().keys() == ["other"])
    #expect(try disk.totalSize == FileStatus(of: folder.file(of: "other").path)?.size)
    #expect(folder.damage.all.count == 1)
  }

  @Test(arguments: Damage.kinds)
  func aWriteReplacesIt(_ damage: Damage) throws {
    try store(damage)
    let disk = try folder.open()
    try disk.setObject(text("new"), forKey: "k", expiry: nil)
    #expect(try disk.object(forKey: "k") == text("new"))
    // A write moves a folder in the entry's place to `Damaged` and reports it. It replaces anything else like a file,
    // without a report.
    let isFolder = [.folder, .folderWithFiles].contains(damage)
    #expect(folder.damage.all.count == (isFolder ? 1 : 0))
    #expect(try folder.damagedNames().count == (isFolder ? 1 : 0))
  }

  @Test(arguments: Damage.kinds)
  func aRemovalRemovesIt(_ damage: Damage) throws {
    try store(damage)
    let disk = try folder.open()
    try disk.removeObject(forKey: "k")
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
    #expect(try folder.names().contains(folder.file(of: "k").lastPathComponent) == false)
    try disk.removeAll()
    #expect(try disk.keys() == [])
  }

  @Test func everyLengthOfASmallFile() throws {
    try store(.appended(0))
    let good = try Data(contentsOf: folder.file(of: "k"))
    let disk = try folder.open()
    for count in 0..<good.count {
      try good.prefix(count).write(to: folder.file(of: "k"))
      #expect(failure { try disk.entryIfPresent(forKey: "k") } == .malformedFileAttributes, "\(count) bytes")
      #expect(try disk.entryIfPresent(forKey: "k") == nil, "\(count) bytes")
    }
    #expect(try folder.damagedNames().count == good.count)
  }

  @Test func everyBitOfASmallFile() throws {
    try store(.appended(0))
    let good = try Data(contentsOf: folder.file(of: "k"))
    let disk = try folder.open()
    for bit in 0..<good.count * 8 {
      var bad = good
      bad[bit / 8] ^= 1 << (bit % 8)
      try bad.write(to: folder.file(of: "k"))
      #expect(failure { try disk.entryIfPresent(forKey: "k") } == .malformedFileAttributes, "bit \(bit)")
      #expect(try disk.entryIfPresent(forKey: "k") == nil, "bit \(bit)")
    }
    #expect(try folder.damagedNames().count == good.count * 8)
  }

  /// Flips some bits in each part of a file that is read in several steps.
  @Test(arguments: [0, 70, 4095, 4096, 4097, 6000, 11_000, 11_999])
  func aBitOfALargeFile(_ byte: Int) throws {
    let key = String(repeating: "k", count: 5000)
    let disk = try folder.open()
    try disk.setObject(bytes(12_000 - 5064), forKey: key, expiry: nil)
    #expect(try disk.object(forKey: key) == bytes(12_000 - 5064))
    var bad = try Data(contentsOf: folder.file(of: key))
    bad[byte] ^= 1
    try bad.write(to: folder.file(of: key))
    #expect(failure { try disk.entryIfPresent(forKey: key) } == .malformedFileAttributes)
    #expect(try disk.entryIfPresent(forKey: key) == nil)
  }

  @Test func swappedFilesAreBothSeen() throws {
    let disk = try folder.open()
    try disk.setObject(text("1"), forKey: "a", expiry: nil)
    try disk.setObject(text("2"), forKey: "b", expiry: nil)
    let (a, b) = (try Data(contentsOf: folder.file(of: "a")), try Data(contentsOf: folder.file(of: "b")))
    try a.write(to: folder.file(of: "b"))
    try b.write(to: folder.file(of: "a"))
    for key in ["a", "b"] {
      #expect(failure { try disk.object(forKey: key) } == .malformedFileAttributes)
      #expect(failure { try disk.object(forKey: key) } == .notFound)
    }
    #expect(try folder.damagedNames().count == 2)
  }

  @Test func whatAReadSetAsideIsOutOfTheIndex() throws {
    let disk = try folder.open()
    try disk.setObject(value, forKey: "k", expiry: nil)
    #expect(try disk.keys() == ["k"])
    try Damage.foreign(10).strike(folder.file(of: "k"), other: folder.file(of: "k"))
    #expect(failure { try disk.object(forKey: "k") } == .malformedFileAttributes)
    #expect(try disk.keys() == [])
    #expect(disk.totalSize == 0)
  }

  @Test func aFileOfANewerVersionStays() throws {
    let disk = try folder.open()
    try Data(EntryHeaderTests.withVersion(4)).write(to: folder.file(of: "k"))
    for _ in 0..<2 {
      let error = failure { try disk.entryIfPresent(forKey: "k") }
      #expect(error == .newerFormat)
      #expect(error?.message.contains("version 4") == true)
      #expect(error?.place == folder.file(of: "k").path)
    }
    #expect(try disk.keys() == [])
    #expect(folder.damage.all == [.newerFormat])
    #expect(try folder.names() == [folder.file(of: "k").lastPathComponent])
    try disk.removeAll()
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
  }

  /// `onDamage` is called outside all locks, so it may use the store.
  @Test func theReportMayUseTheStore() throws {
    try store(.foreign(1))
    let seen = Locked<DiskStorage<String>?>(nil)
    let keys = Locked<[String]>([])
    let disk = try DiskStorage<String>(
      config: DiskConfig(
        name: "store", directory: folder.url, layout: .files,
        onDamage: { _ in
          guard let disk = seen.withLock({ $0 }) else { return }
          do {
            let found = try disk.keys()
            try disk.setObject(text("healed"), forKey: "k", expiry: nil)
            keys.withLock { $0 = found }
          } catch { Issue.record(error) }
        }))
    seen.withLock { $0 = disk }
    #expect(try disk.keys().contains("other"))
    #expect(keys.withLock { $0 } == ["other"])
    #expect(try disk.object(forKey: "k") == text("healed"))
    seen.withLock { $0 = nil }
  }

  /// One thread writes garbage to the file, another one writes valid files, and the others read. No valid file is moved
  /// to `Damaged`.
  @Test func aGoodRewriteIsNeverSetAside() throws {
    let disk = try folder.open()
    let file = folder.file(of: "k")
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        for round in 0..<200 {
          if worker == 0 {
            try disk.setObject(value, forKey: "k", expiry: nil)
            continue
          }
          if worker == 1 {
            let garbage = folder.url.appending(path: "garbage")
            try bytes(50, seed: round).write(to: garbage)
            try FileManager.default.moveOver(garbage, to: file)
          }
          do {
            let read = try disk.entryIfPresent(forKey: "k")
            #expect(read == nil || read?.object == value)
          } catch StorageError.malformedFileAttributes {}
        }
      } catch { Issue.record(error) }
    }
    let kept = try folder.damagedNames()
    #expect(!kept.isEmpty)
    for name in kept {
      let bytes = try Data(contentsOf: folder.store.appending(path: "Damaged/\(name)"))
      #expect(bytes.count == 50)
    }
  }
}
