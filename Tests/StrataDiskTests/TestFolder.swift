import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// A test's folder, which contains a store's folder. It is deleted when the test ends.
final class TestFolder: Sendable {
  let url: URL
  let damage = Findings()
  let layout: DiskLayout
  private let owner: TestFolder?

  init(
    _ layout: DiskLayout = .files, in parent: URL = FileManager.default.temporaryDirectory
  ) throws {
    self.layout = layout
    owner = nil
    url = parent.appending(path: "StrataDiskTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Creates an object for the same folder with another layout. The first object deletes the folder.
  init(_ layout: DiskLayout, over other: TestFolder) {
    self.layout = layout
    self.owner = other
    url = other.url
  }

  deinit {
    if owner != nil { return }
    do { try FileManager.default.removeItem(at: url) } catch { print("left behind: \(url): \(error)") }
  }

  /// Opens the store of this folder; each call simulates a restart.
  func open<Key: StorageKey>(
    _ type: Key.Type = String.self, expiry: Expiry = .never, maxSize: UInt = 0,
    durability: DiskDurability = .process, clock: StorageClock = .system
  ) throws -> DiskStorage<Key> {
    try DiskStorage(
      config: DiskConfig(
        name: "store", expiry: expiry, maxSize: maxSize, directory: url, layout: layout,
        durability: durability, clock: clock, onDamage: { [damage] in damage.add($0) }))
  }

  /// Replaces the store's folder by a copy, as `cp -a` makes it.
  func copyStore() throws {
    let original = url.appending(path: UUID().uuidString)
    try FileManager.default.moveItem(at: store, to: original)
    let copied = try Program.run(["cp", "-a", original.path, store.path])
    #expect(copied.end == .exit(0))
  }

  var store: URL { url.appending(path: "store") }

  func file(of key: String) -> URL { store.appending(path: EntryName.of(key.canonicalUTF8)) }

  func names(_ folder: String = "") throws -> [String] {
    let url = store.appending(path: folder)
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Returns the segments of a log, the oldest first.
  func segments() throws -> [URL] {
    try names().filter { EntryName.segmentNumber($0) != nil }.map { store.appending(path: $0) }
  }

  /// Returns the bytes of all files of a log: its segments and its value files.
  func logBytes() throws -> Int {
    let folder = EntryFolder(path: store.path)
    var sum = try folder.bytes(of: folder.segmentNumbers())
    for name in try names(EntryName.values) {
      sum += try FileStatus(of: folder.values.path(of: name))?.size ?? 0
    }
    return sum
  }

  func damagedNames() throws -> [String] { try names("Damaged") }

  /// Returns the bytes of all files with names of entries, as the file system reports them.
  func entryBytes() throws -> Int {
    try names().filter(EntryName.isEntry).reduce(0) { sum, name in
      sum + (try FileStatus(of: store.appending(path: name).path)?.size ?? 0)
    }
  }
}

/// The errors that a store reported.
final class Findings: Sendable {
  private let errors = Locked<[StorageError]>([])

  func add(_ error: StorageError) { errors.withLock { $0.append(error) } }

  var all: [StorageError] { errors.withLock { $0 } }
}

/// Returns bytes that depend on the seed and differ everywhere for different seeds.
func bytes(_ count: Int, seed: Int = 0) -> Data {
  var state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1
  var bytes = Data(count: (count + 7) & ~7)
  bytes.withUnsafeMutableBytes { bytes in
    var offset = 0
    // Eight bytes at a time: without optimisation, a loop over single bytes would take longer than the tests that use
    // it.
    while offset < bytes.count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes.storeBytes(
        of: (state ^ state >> 32) &* 0xD6E8_FEB8_6659_FD93, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
  }
  return bytes.prefix(count)
}

func text(_ string: String) -> Data { Data(string.utf8) }

/// Returns the `StorageError` that a body throws, if any.
func failure<R>(_ body: () throws -> R) -> StorageError? {
  do { _ = try body() } catch { return error as? StorageError }
  return nil
}

/// Returns the offset at which some bytes contain others.
func place(of part: Data, in whole: Data) -> Int? {
  whole.range(of: part).map { $0.lowerBound - whole.startIndex }
}
