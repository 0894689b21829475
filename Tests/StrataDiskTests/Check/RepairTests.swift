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
import Testing

@testable import StrataDisk

/// After `repair()` no read throws, and opening the store again finds no damage, for all kinds of damage.
struct RepairTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder(.automatic) }

  private func change(_ segment: URL, _ body: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: segment)
    body(&data)
    let file = try File(segment.path, O_RDWR)
    try file.write(Array(data), at: 0)
    try file.truncate(to: data.count)
  }

  private func fill(_ count: Int = 3000) throws -> DiskStorage<Int> {
    let disk = try folder.open(Int.self)
    for key in 0..<count { try disk.setObject(bytes(1000, seed: key), forKey: key, expiry: nil) }
    return disk
  }

  /// The head of a record is damaged: the table of contents still has the key's hash, but the key is unknown.
  @Test(arguments: [15, 2999]) func aHeadThatIsStruck(_ key: Int) throws {
    let disk = try fill()
    let other = try folder.open(Int.self)
    #expect(try other.keys().count == 3000)
    let place = try #require(
      try folder.segments().lazy.compactMap { segment in
        StrataDiskTests.place(of: bytes(1000, seed: key), in: try Data(contentsOf: segment)).map {
          (segment, $0)
        }
      }.first)
    try change(place.0) { $0[place.1 - 1] ^= 1 }
    #expect(try disk.repair().count == 1)
    for store in [disk, other, try folder.open(Int.self)] {
      #expect(try store.verify() == [])
      #expect(try !store.objectExists(forKey: key))
      #expect(try store.keys().count == 2999)
    }
    let damaged = try folder.damagedNames().count
    _ = try folder.open(Int.self)
    #expect(try folder.damagedNames().count == damaged)
  }

  /// Bytes after a segment that cannot be a record: too few, not a multiple of 8, or too many.
  @Test(arguments: [1, 5, 8, 32, 40, 1000, 1001]) func garbageBehindASegment(_ count: Int) throws {
    _ = try fill()
    let first = try folder.segments()[0]
    try change(first) { $0.append(bytes(count, seed: 9)) }
    _ = try folder.open(Int.self)
    #expect(folder.damage.all.count == 1)
    let damaged = try folder.damagedNames()
    for _ in 0..<2 {
      let disk = try folder.open(Int.self)
      #expect(try disk.verify() == [])
      #expect(try disk.keys().count == 3000)
      #expect(try disk.totalSize == folder.logBytes())
    }
    #expect(try folder.damagedNames() == damaged)
    #expect(folder.damage.all.count == 1)
  }

  /// More damage than one record can cover. In the last segment, which has no table of contents, it is found on
  /// opening.
  @Test(arguments: [1, 2]) func threeMegabytes(_ struck: Int) throws {
    let disk = try DiskStorage<Int>(
      config: DiskConfig(
        name: "store", directory: folder.url, layout: .packed,
        onDamage: { [damage = folder.damage] in damage.add($0) }))
    for key in 0..<3 {
      try disk.setObject(Data(repeating: UInt8(key), count: 3_000_000), forKey: key, expiry: nil)
    }
    let segment = try folder.segments()[struck]
    try change(segment) { $0[SegmentHeader.size + 20] ^= 1 }
    if struck == 1 { #expect(try disk.repair().count == 1) }
    for _ in 0..<3 {
      let disk = try folder.open(Int.self)
      #expect(try disk.verify() == [])
      #expect(try !disk.objectExists(forKey: struck))
      #expect(try disk.keys().count == 2)
    }
    #expect(try folder.damagedNames().count == 1)
    #expect(folder.damage.all.count == 1)
  }

  /// A segment of another store replaces one of this store's.
  @Test func aSegmentOfAnotherStore() throws {
    let disk = try fill()
    let other = try TestFolder(.automatic)
    try other.open(Int.self).setObject(bytes(7), forKey: 7, expiry: nil)
    let name = EntryName.segment(1)
    try Data(contentsOf: other.store.appending(path: name)).write(to: folder.segments()[1])
    let found = try disk.repair()
    #expect(found.contains { $0.kind == .damaged })
    #expect(try disk.verify() == [])
    for key in 0..<3000 {
      let value = try disk.entryIfPresent(forKey: key)?.object
      #expect(value == nil || value == bytes(1000, seed: key))
    }
  }

  /// `Damaged` has a limit: when a store is opened, the oldest files are deleted first.
  @Test(arguments: [DiskLayout.automatic, .files]) func whatIsSetAsideHasALimit(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    _ = try folder.open()
    let shelf = EntryFolder(path: folder.store.appending(path: "Damaged").path)
    try shelf.make()
    for number in 0..<DamagedLimit.files + 5 {
      try File(shelf.path(of: "\(10_000 + number)"), O_WRONLY | O_CREAT).write(Array("x".utf8), at: 0)
    }
    /// Adds a file, newer than one that is there. Files that are made within a tick of the system's clock are equally
    /// old.
    func add(_ name: String, of size: Int, after other: String) throws {
      try File(shelf.path(of: name), O_WRONLY | O_CREAT).truncate(to: size)
      let time = try #require(try FileStatus(of: shelf.path(of: other))).changed
      while try #require(try FileStatus(of: shelf.path(of: name))).changed <= time {
        chmod(shelf.path(of: name), 0o600)
      }
    }
    try add("large", of: DamagedLimit.bytes - 50, after: "\(10_000 + DamagedLimit.files + 4)")
    _ = try folder.open()
    let names = try folder.damagedNames()
    #expect(names.count <= DamagedLimit.files)
    #expect(names.contains("large"))
    #expect(!names.contains("10000"))
    try add("larger", of: DamagedLimit.bytes, after: "large")
    _ = try folder.open()
    #expect(try folder.damagedNames() == ["larger"])
  }
}
