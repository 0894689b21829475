#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// Damage of every kind to one segment of a log, or to two: after `repair()`, all stores that are opened later agree,
/// also without the control file, and however the log is written to afterwards.
@Suite(.timeLimit(.minutes(Soak.rounds(2, soak: 30))))
struct HarmSoakTests {
  private static let chosen: [Harms] = {
    // An odd number, so that the rounds include open and closed stores, with and without tables.
    let share = Soak.rounds(Harms.all.count / 12 | 1, soak: 1)
    return stride(from: Int(Soak.seed % UInt64(share)), to: Harms.all.count, by: share).map { Harms.all[$0] }
  }()

  @Test(arguments: chosen) func entriesThatSurviveStay(_ harms: Harms) throws {
    var log = try HarmedLog(harms)
    try log.run()
  }
}

/// One round of damage.
private struct HarmedLog {
  private let harms: Harms
  private let folder: TestFolder
  /// By key, all values ever stored, in order; `nil` for a removal.
  private var history: [Int: [Data?]] = [:]

  init(_ harms: Harms) throws {
    self.harms = harms
    folder = try TestFolder(.automatic)
  }

  private var what: Comment { "seed \(Soak.seed): \(harms.testDescription)" }

  /// A limit makes segments short: of 125 kB, or of 50 kB, which have no tables.
  private func open(readOnly: Bool = false) throws -> DiskStorage<Int> {
    var config = DiskConfig(
      name: "store", maxSize: harms.hasTables ? 3_000_000 : 1_200_000, directory: folder.url,
      onDamage: { [damage = folder.damage] in damage.add($0) })
    config.isReadOnly = readOnly
    return try DiskStorage(config: config)
  }

  mutating func run() throws {
    try fill()
    let segments = try folder.segments()
    try #require(segments.count > 4)
    let before = harms.isOpen ? try open() : nil
    try #require(try before?.verify() ?? [] == [])
    // Otherwise the store would keep deleted files open.
    _ = Descriptors.giveBackAll()
    try harms.strike(segments)

    if harms.isCopied { try folder.copyStore() }

    let disk = try before ?? open()
    if !harms.isOpen { _ = try entries(disk, mayThrow: true) }
    let found = try disk.verify()
    #expect(try disk.repair() == found, what)
    #expect(try disk.verify() == [], what)
    if harms.strikes.contains(where: { $0.harm == .deleted }), !harms.isOpen {
      #expect(!folder.damage.all.isEmpty, what)
    }
    let left = try entries(disk, mayThrow: false)
    // The index of an open store contains the keys of lost records.
    let mayBeOlder = !harms.isOpen && !(folder.damage.all.isEmpty && found.isEmpty)
    for (key, value) in left {
      let isLast = history[key]?.last == .some(value)
      #expect(isLast || mayBeOlder && history[key]?.contains(value) == true, "\(what): key \(key)")
    }
    try expect(left)
    try writeOn()
  }

  private mutating func fill() throws {
    let disk = try open()
    let (keys, writes) = harms.hasTables ? (150, 450) : (60, 200)
    for i in 0..<writes {
      let key = i * 7 % keys
      if i % 9 == 4 {
        try disk.removeObject(forKey: key)
        history[key, default: []].append(nil)
      } else {
        let value = bytes(i % 25 == 3 ? 66_000 : 700 + i * 37 % 1500, seed: i)
        try disk.setObject(value, forKey: key, expiry: nil)
        history[key, default: []].append(value)
      }
    }
  }

  private func entries(_ disk: DiskStorage<Int>, mayThrow: Bool) throws -> [Int: Data] {
    var found: [Int: Data] = [:]
    for key in history.keys {
      do {
        found[key] = try disk.entryIfPresent(forKey: key)?.object
      } catch let error as StorageError where mayThrow && error == .malformedFileAttributes {}
    }
    return found
  }

  /// Expects some entries in every store that is opened now, and no report of damage.
  private func expect(_ left: [Int: Data]) throws {
    let reports = folder.damage.all.count
    for hasControl in [true, false] {
      if !hasControl { try FileManager.default.removeItem(at: folder.store.appending(path: "control")) }
      for readOnly in [true, false] {
        let disk = try open(readOnly: readOnly)
        let how: Comment = "\(what); control \(hasControl), read-only \(readOnly)"
        #expect(try Set(disk.keys()) == Set(left.keys), how)
        #expect(try entries(disk, mayThrow: false) == left, how)
        #expect(try disk.totalSize == folder.logBytes(), how)
        #expect(try disk.verify() == [], how)
        #expect(folder.damage.all.count == reports, "\(how): \(folder.damage.all.suffix(1))")
      }
    }
  }

  /// Writes until all present segments have been emptied.
  private func writeOn() throws {
    let disk = try open()
    var left = try entries(disk, mayThrow: false)
    let oldest = try folder.segments().last
    for i in 0..<2000 {
      if try folder.segments().first.map({ $0.path > oldest?.path ?? "" }) ?? true { break }
      for key in history.keys.sorted().dropFirst(i % 10).prefix(30) {
        let value = bytes(1400, seed: 10_000 + i)
        try disk.setObject(value, forKey: key, expiry: nil)
        left[key] = value
      }
    }
    #expect(try disk.verify() == [], what)
    #expect(try disk.keys().count == left.count, what)
    try expect(left)
  }
}
