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
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// After any damage to the files of a closed log, a read returns the stored value, throws, or finds nothing. Other
/// entries are not affected, and opening never hangs.
@Suite(.timeLimit(.minutes(Soak.rounds(10, soak: 60))))
struct LogDamageSoakTests {
  private let folder: TestFolder
  private let stored: [String: Data]
  /// The contents of all files before the damage.
  private let good: [String: Data]

  init() throws {
    folder = try TestFolder(.automatic)
    var stored = Dictionary(uniqueKeysWithValues: (0..<5).map { ("small \($0)", bytes(9 * $0, seed: $0)) })
    stored["large"] = bytes(66_000, seed: 7)
    stored["larger"] = bytes(67_000, seed: 8)
    let disk = try folder.open()
    for key in stored.keys.sorted() { try disk.setObject(#require(stored[key]), forKey: key, expiry: nil) }
    try disk.setObject(bytes(5), forKey: "removed", expiry: nil)
    try disk.removeObject(forKey: "removed")
    self.stored = stored
    var good: [String: Data] = [:]
    for name in try folder.names() where name != "Values" {
      good[name] = try Data(contentsOf: folder.store.appending(path: name))
    }
    for name in try folder.names("Values") {
      good["Values/\(name)"] = try Data(contentsOf: folder.store.appending(path: "Values/\(name)"))
    }
    self.good = good
  }

  private var segment: String { EntryName.segment(1) }
  private var values: [String] { good.keys.filter { $0.hasPrefix("Values/") }.sorted() }

  /// Restores all files. Existing ones are written in place, so that the control file keeps its identity and is
  /// trusted.
  private func restore() throws {
    for name in try folder.names() where name != "Values" && good[name] == nil {
      try FileManager.default.removeItem(at: folder.store.appending(path: name))
    }
    try EntryFolder(path: folder.store.path).values.make()
    for name in try folder.names("Values") where good["Values/\(name)"] == nil {
      try FileManager.default.removeItem(at: folder.store.appending(path: "Values/\(name)"))
    }
    for (name, contents) in good { try put(contents, name) }
  }

  private func put(_ contents: Data, _ name: String) throws {
    let file = try File(folder.store.appending(path: name).path, O_RDWR | O_CREAT)
    try file.write(Array(contents), at: 0)
    try file.truncate(to: contents.count)
  }

  /// Checks all entries, and returns the keys that cannot be read.
  ///
  /// - Parameter mayForget: Whether the removal, the log's last record, may be lost too.
  private func lost(_ what: String, mayForget: Bool = false) throws -> [String] {
    let disk = try folder.open()
    var lost: [String] = []
    for (key, value) in stored {
      do {
        let found = try disk.entryIfPresent(forKey: key)
        if found == nil { lost.append(key) } else { #expect(found?.object == value, "\(what): \(key)") }
      } catch let error as StorageError {
        #expect(error == .malformedFileAttributes || error == .newerFormat, "\(what): \(error)")
        lost.append(key)
      }
    }
    let removed = try disk.entryIfPresent(forKey: "removed")
    #expect(removed == nil || mayForget && removed?.object == bytes(5), "\(what): what was removed is back")
    #expect(Set(try disk.keys()).subtracting(["removed"]) == Set(stored.keys).subtracting(lost), "\(what)")
    // The damaged record may have been replaced, so that no read finds it.
    try disk.repair()
    #expect(try disk.verify() == [], "\(what)")
    #expect(Set(try disk.keys()).subtracting(["removed"]) == Set(stored.keys).subtracting(lost), "\(what)")
    #expect(try disk.totalSize == folder.logBytes(), "\(what)")
    return lost.sorted()
  }

  /// Flips a bit in every byte of the segment and of the control file, and in the head and some other bytes of value
  /// files.
  @Test(arguments: ["segment", "segment, and no control file", "control", "value"])
  func aFlippedBit(_ place: String) throws {
    let name = place == "control" ? "control" : place == "value" ? values[0] : segment
    let contents = try #require(good[name])
    // The offset of the last record, the removal: if its head is damaged, its key is unknown.
    let removal = contents.count - Record(kind: .removal, keyLength: 7, valueLength: 0, expiry: .never).length
    // Odd steps, so that all bits of a number are covered over time.
    let steps = ["control": 43, "value": 1201, "segment": 9, "segment, and no control file": 15]
    let step = Soak.isOn ? 1 : steps[place] ?? 1
    let offsets =
      place == "value"
      ? Array(0..<72) + stride(from: 72, to: contents.count, by: step)
      : Array(stride(from: 0, to: contents.count, by: step))
    for offset in offsets {
      try restore()
      var bad = contents
      bad[offset] ^= 1 << (offset % 8)
      try put(bad, name)
      if place.hasSuffix("no control file") {
        try FileManager.default.removeItem(at: folder.store.appending(path: "control"))
      }
      let lost = try lost(
        "byte \(offset) of the \(place)", mayForget: place.hasPrefix("segment") && offset >= removal)
      switch place {
      case "control": #expect(lost == [], "byte \(offset)")
      case "value": #expect(lost.count == 1, "byte \(offset)")
      // The damage affects either the segment's header or one record.
      default: #expect(offset < SegmentHeader.size || lost.count <= 1, "byte \(offset): \(lost)")
      }
    }
  }

  @Test(arguments: [true, false])
  func aSegmentThatIsCutShort(controlIsThere: Bool) throws {
    let contents = try #require(good[segment])
    var most = 0
    for count in stride(from: 0, to: contents.count, by: Soak.rounds(7, soak: 1)) {
      try restore()
      try put(contents.prefix(count), segment)
      if !controlIsThere { try FileManager.default.removeItem(at: folder.store.appending(path: "control")) }
      let lost = try lost("cut to \(count)", mayForget: true)
      // Only entries after the cut are lost, so that a longer file has more entries.
      #expect(stored.count - lost.count >= most, "cut to \(count)")
      most = max(most, stored.count - lost.count)
    }
    #expect(most == stored.count)
  }

  @Test func aValueThatIsCutShort() throws {
    let contents = try #require(good[values[0]])
    for count in Array(0..<80) + [100, 4095, 4096, 4097, contents.count - 1] {
      try restore()
      try put(contents.prefix(count), values[0])
      #expect(try lost("cut to \(count)").count == 1)
    }
  }

  @Test func swappedFiles() throws {
    let other = try TestFolder(.automatic)
    try other.open().setObject(bytes(50), forKey: "small 1", expiry: nil)
    let foreign = try Data(contentsOf: other.store.appending(path: segment))
    let foreignControl = try Data(contentsOf: other.store.appending(path: "control"))

    try put(#require(good[values[1]]), values[0])
    try put(#require(good[values[0]]), values[1])
    #expect(try lost("values swapped") == ["large", "larger"])
    try restore()
    try put(#require(good[values[0]]), segment)
    #expect(try lost("a value in place of the segment").count == stored.count)
    try restore()
    try put(#require(good[segment]), values[0])
    #expect(try lost("the segment in place of a value").count == 1)
    try restore()
    try put(foreignControl, "control")
    #expect(try lost("the control file of another store") == [])
    try restore()
    try put(#require(good[segment]), "control")
    #expect(try lost("the segment in place of the control file") == [])
    // If all segments belong to another store, opening the folder opens that store's log.
    try restore()
    try put(foreign, segment)
    let disk = try folder.open()
    #expect(try disk.entryIfPresent(forKey: "small 1").map { $0.object == bytes(50) } ?? true)
    #expect(try disk.entryIfPresent(forKey: "small 2") == nil)
  }

  @Test(
    arguments: ["control", "segment", "value", "Values", "Damaged"],
    [Damage.folder, .folderWithFiles, .link, .linkToNowhere, .linkToItself, .fifo, .socket])
  func somethingElseInPlaceOfAFile(_ place: String, _ damage: Damage) throws {
    let name = place == "segment" ? segment : place == "value" ? values[0] : place
    let url = folder.store.appending(path: name)
    let other = folder.url.appending(path: "other")
    try text("other").write(to: other)
    if place == "Values" || place == "Damaged" {
      if place == "Values" { try FileManager.default.removeItem(at: url) }
      try text("a file").write(to: url)
    }
    try damage.strike(url, other: other)
    let opened = failure { _ = try folder.open() }
    if let opened {
      // The error names a file or folder at or below the store's path.
      #expect(opened.place?.hasPrefix(folder.store.path) == true)
      return
    }
    let disk = try folder.open()
    for (key, value) in stored {
      do {
        if let found = try disk.entryIfPresent(forKey: key) { #expect(found.object == value) }
      } catch let error as StorageError { #expect(error.place != nil) }
    }
    if place == "control" || place == "Damaged" {
      for (key, value) in stored { #expect(try disk.object(forKey: key) == value) }
    }
    if place == "value" { #expect(try disk.keys().count == stored.count - 1) }
  }

  /// A clock that is set back affects only expiry.
  @Test func aClockThatJumpsBack() throws {
    let start = Date(timeIntervalSinceReferenceDate: 1_000_000)
    for layout in [DiskLayout.automatic, .files] {
      let clock = ManualClock(start)
      let folder = try TestFolder(layout)
      let disk = try folder.open(maxSize: 100_000, clock: clock.clock)
      try disk.setObject(text("old"), forKey: "k", expiry: nil)
      try disk.setObject(text("short"), forKey: "short", expiry: .seconds(10))
      clock.advance(by: -500_000)
      // A later write takes precedence, whatever the clock says.
      try disk.setObject(text("new"), forKey: "k", expiry: nil)
      try disk.setObject(text("early"), forKey: "early", expiry: .seconds(10))
      #expect(try disk.object(forKey: "k") == text("new"))
      #expect(try disk.object(forKey: "short") == text("short"))
      try disk.removeExpiredObjects()
      #expect(try Set(disk.keys()) == ["k", "short", "early"])
      clock.advance(by: 20)
      #expect(try disk.objectIfPresent(forKey: "early") == nil)
      try disk.removeExpiredObjects()
      clock.advance(by: -20)
      // A removed expired entry stays removed.
      #expect(try disk.entryIfPresent(forKey: "early") == nil)
      let again = try folder.open(clock: clock.clock)
      #expect(try Set(again.keys()) == ["k", "short"])
      #expect(try again.object(forKey: "k") == text("new"))
      // Many writes force evictions, which go by the order of use and not by the clock.
      for i in 0..<200 { try disk.setObject(bytes(1000, seed: i), forKey: "\(i)", expiry: .seconds(100)) }
      #expect(try disk.object(forKey: "199") == bytes(1000, seed: 199))
      #expect(disk.totalSize <= 100_000)
    }
  }

  /// The bytes of the other value still count.
  @Test(arguments: [0, 1]) func oneOfTwoValueFilesIsDeleted(_ number: Int) throws {
    for name in [values[number], "control"] {
      try FileManager.default.removeItem(at: folder.store.appending(path: name))
    }
    let disk = try folder.open()
    let missing = ["large", "larger"].filter { key in failure { try disk.object(forKey: key) } != nil }
    #expect(missing.count == 1)
    #expect(try disk.totalSize == folder.logBytes())
    try disk.removeObjects(forKeys: ["large", "larger"])
    #expect(try disk.totalSize == folder.logBytes())
  }

  /// The bytes of a value file that another program has deleted are subtracted once, when its record is dropped.
  @Test func aValueFileIsDeleted() throws {
    for name in values { try FileManager.default.removeItem(at: folder.store.appending(path: name)) }
    try FileManager.default.removeItem(at: folder.store.appending(path: "control"))
    let disk = try folder.open()
    try disk.removeObject(forKey: "large")
    try disk.setObject(bytes(9), forKey: "larger", expiry: nil)
    #expect(try disk.object(forKey: "larger") == bytes(9))
    #expect(try disk.totalSize == folder.logBytes())
    #expect(try disk.verify() == [])
  }
}
