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
import StrataTestKit
import Testing

@testable import StrataDisk

/// A round of random damage to the files of a folder, with the store closed or open.
///
/// A read returns the last stored value, throws, or finds nothing. It returns an older value only if the store has
/// reported that a part of the log is lost or damaged. After `repair()`, `verify()` finds nothing and no read throws; a
/// later opening finds nothing either.
struct DamageSoak {
  private let seed: UInt64
  private var random: SeededGenerator
  private let folder: TestFolder
  /// All values ever stored for each key, in order. `nil` stands for a removal.
  private var history: [Int: [Data?]] = [:]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    folder = try TestFolder(.automatic)
  }

  mutating func run() throws {
    try fill()
    let isOpen = Bool.random(using: &random)
    let open = isOpen ? try folder.open(Int.self) : nil
    _ = try open?.keys()
    let strikes = try (0..<Int.random(in: 1...2, using: &random)).map { _ in try strike() }
    let what: Comment = "seed \(seed): \(strikes), \(isOpen ? "under an open store" : "while closed")"
    let isInvisible = strikes.contains { $0.isInvisible }
    // An open store notices damage only when it reads or writes the damaged files.
    if let open { try check(open, { isInvisible || !folder.damage.all.isEmpty }, what) }
    let disk = try folder.open(Int.self)
    let wasReported = !folder.damage.all.isEmpty
    let found = try disk.verify()
    try check(disk, { wasReported || !found.isEmpty || isInvisible }, what)
    try disk.repair()
    #expect(try disk.verify() == [], what)
    let left = try entries(disk, what, mayThrow: false)
    let reports = folder.damage.all.count
    let damaged = try folder.damagedNames()
    let again = try folder.open(Int.self)
    #expect(try entries(again, what, mayThrow: false) == left, what)
    #expect(folder.damage.all.count == reports, "\(what): \(folder.damage.all.suffix(1))")
    #expect(try folder.damagedNames() == damaged, what)
    #expect(try again.verify() == [], what)
    #expect(try again.totalSize == folder.logBytes(), what)
    try again.setObject(text("works"), forKey: 0, expiry: nil)
    #expect(try folder.open(Int.self).object(forKey: 0) == text("works"), what)
  }

  private mutating func fill() throws {
    let disk = try folder.open(Int.self)
    for i in 0..<Int.random(in: 30...1500, using: &random) {
      let key = Int.random(in: 0..<200, using: &random)
      if Int.random(in: 0..<10, using: &random) == 0 {
        try disk.removeObject(forKey: key)
        history[key, default: []].append(nil)
      } else {
        let isLarge = Int.random(in: 0..<150, using: &random) == 0
        let count = isLarge ? 66_000 : Int.random(in: 4..<2500, using: &random)
        var value = Data(repeating: UInt8(truncatingIfNeeded: i), count: count)
        withUnsafeBytes(of: UInt32(i)) { value.replaceSubrange(0..<4, with: $0) }
        try disk.setObject(value, forKey: key, expiry: nil)
        history[key, default: []].append(value)
      }
    }
  }

  private struct Strike: CustomStringConvertible {
    let description: String
    /// Whether the damage leaves no trace: without the control file, the end of the log is unknown.
    let isInvisible: Bool
  }

  private mutating func strike() throws -> Strike {
    let files =
      try folder.names().filter { !["Values", "Damaged"].contains($0) }
      + folder.names("Values").map { "Values/\($0)" }
    guard let name = files.randomElement(using: &random) else {
      return Strike(description: "none", isInvisible: false)
    }
    let url = folder.store.appending(path: name)
    var data = try Data(contentsOf: url)
    let place = Int.random(in: 0..<max(1, data.count), using: &random)
    let length = Int.random(in: 1..<3000, using: &random)
    let kind = Int.random(in: 0..<8, using: &random)
    var isInvisible = name == "control"
    switch kind {
    case 0 where !data.isEmpty: data[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: data = data.prefix(place)
    case 2:
      data.replaceSubrange(
        place..<min(data.count, place + length), with: Data(count: min(length, data.count - place)))
    case 3:
      try FileManager.default.removeItem(at: url)
      return Strike(description: "\(name) deleted", isInvisible: isInvisible)
    case 4: data.append(bytes(length, seed: place))
    case 5: data.insert(contentsOf: bytes(length, seed: place), at: place)
    case 6: data.removeSubrange(place..<min(data.count, place + length))
    default:
      // A copy of another file in the folder.
      if let other = files.filter({ $0 != name }).randomElement(using: &random) {
        let otherURL = folder.store.appending(path: other)
        if FileManager.default.fileExists(atPath: otherURL.path) { data = try Data(contentsOf: otherURL) }
        isInvisible = isInvisible || other == "control"
      }
    }
    // Changes the file in place, so that a process that has it open sees the change. The control file is replaced
    // instead, since shortening it would kill processes that have it mapped.
    if name == "control" {
      try data.write(to: url, options: .atomic)
    } else {
      let file = try File(url.path, O_RDWR)
      try file.write(Array(data), at: 0)
      try file.truncate(to: data.count)
    }
    return Strike(description: "\(name): kind \(kind) at \(place), \(length)", isInvisible: isInvisible)
  }

  private func entries(_ disk: DiskStorage<Int>, _ what: Comment, mayThrow: Bool) throws -> [Int: Data] {
    var found: [Int: Data] = [:]
    for key in history.keys {
      do {
        found[key] = try disk.entryIfPresent(forKey: key)?.object
      } catch let error as StorageError {
        #expect(mayThrow && error == .malformedFileAttributes, "\(what): \(error)")
      }
    }
    return found
  }

  private func check(_ disk: DiskStorage<Int>, _ mayBeOlder: () -> Bool, _ what: Comment) throws {
    let found = try entries(disk, what, mayThrow: true)
    for (key, values) in history {
      guard let value = found[key] else { continue }
      let isLast = values.last == .some(value)
      let isOlder = values.contains(value)
      #expect(isLast || isOlder && mayBeOlder(), "\(what): key \(key), \(isOlder ? "older" : "made up")")
    }
  }
}
