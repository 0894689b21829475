import Foundation
import TestSupport
import Testing

@testable import StrataCore
@testable import StrataDisk

struct DiskStreamTests {
  static let layouts = [DiskLayout.automatic, .packed, .files]
  /// Around the sizes from which a value is a file, and has one more part.
  static let sizes = [0, 1, 65_535, 65_536, 1_048_575, 1_048_576, 1_048_577, 5_242_897]

  @Test(arguments: layouts, sizes)
  func whatIsWrittenIsRead(_ layout: DiskLayout, _ size: Int) async throws {
    let folder = try TestFolder(layout)
    let value = bytes(size, seed: size)
    for step in [777_777, 1 << 20, 3 << 20] {
      let disk = try folder.open()
      try await disk.write(forKey: "film", from: PartSequence(value, by: step))
      for disk in [disk, try folder.open()] {
        let read = try await disk.read(forKey: "film")
        #expect(read.length == size)
        #expect(try await read.data() == value)
        #expect(try await disk.entry(forKey: "film").object == value)
        #expect(try await disk.entries(forKeys: ["film"])["film"]?.object == value)
        #expect(try await disk.keys() == ["film"])
        #expect(try disk.verify() == [])
      }
    }
    let disk = try folder.open()
    let bounds = [0, 1, size / 2, size - 1, size, 1_048_575, 1_048_576, 1_048_577].filter {
      (0...size).contains($0)
    }
    for lower in bounds {
      for upper in bounds where upper >= lower {
        let part = try await disk.read(forKey: "film", range: lower..<upper)
        #expect(try await part.data() == value[lower..<upper])
      }
    }
    #expect(try await disk.read(forKey: "film", range: size..<size + 10).data().isEmpty)
    let total = disk.totalSize
    // Packed values leave dead bytes in the log.
    #expect(total >= size && (total < size + 2000 || size < (layout == .packed ? 1 << 20 : 1 << 16)))
    try await disk.removeObject(forKey: "film")
    #expect(try folder.names(EntryName.values) == [])
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    await #expect(throws: StorageError.notFound) { try await disk.read(forKey: "film") }
    #expect(folder.damage.all == [])
  }

  @Test(arguments: layouts)
  func valuesOfSetObjectAreRead(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    for size in [0, 10, 100_000, 3_000_000] {
      try await disk.setObject(bytes(size, seed: size), forKey: "k", expiry: .seconds(100))
      let read = try await disk.read(forKey: "k", range: size / 3..<size)
      #expect(read.length == size)
      #expect(try await read.data() == bytes(size, seed: size)[(size / 3)...])
      #expect(read.expiry != .never)
      #expect(try await disk.fileURL(forKey: "k") == nil)
    }
  }

  @Test(arguments: layouts)
  func theFileContainsTheValueAlone(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let value = bytes(3_000_000)
    try await disk.write(forKey: "film", from: PartSequence(value, by: 10_000))
    let file = try #require(try await disk.fileURL(forKey: "film"))
    #expect(try Data(contentsOf: file.url) == value)
    // As other programs see it.
    let counted = try Program.run(["wc", "-c", file.url.path])
    #expect(String(decoding: counted.printed, as: UTF8.self).hasPrefix("3000000 "))
    let copy = folder.url.appending(path: "copy")
    try await disk.exportFile(forKey: "film", to: copy)
    #expect(try Program.run(["cmp", file.url.path, copy.path]).end == .exit(0))
    try await disk.importFile(copy, forKey: "again")
    #expect(try await disk.object(forKey: "again") == value)
  }

  @Test(arguments: layouts)
  func expiryCountsFromTheCommitAndIsTouched(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let clock = ManualClock()
    let disk = try folder.open(expiry: .seconds(50), clock: clock.clock)
    let staged = try await disk.stage("film", .seconds(10), [])
    try await staged.append(bytes(2_000_000))
    clock.advance(by: 100)
    try await staged.commit(ifAbsent: false)
    #expect(try await disk.object(forKey: "film") == bytes(2_000_000))
    clock.advance(by: 9)
    let values = try folder.names(EntryName.values)
    #expect(try await disk.touch(forKey: "film", expiry: .seconds(20)))
    #expect(try folder.names(EntryName.values) == values)
    clock.advance(by: 19)
    #expect(try await disk.read(forKey: "film").data() == bytes(2_000_000))
    clock.advance(by: 2)
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    await #expect(throws: StorageError.notFound) { try await disk.read(forKey: "film") }
    #expect(try await disk.stream("film", nil, [])?.expiry != nil)
    #expect(try await !disk.touch(forKey: "film", expiry: .seconds(20)))
    try await disk.removeExpiredObjects()
    #expect(try folder.names(EntryName.values) == [])
    try await disk.write(forKey: "own", from: PartSequence(bytes(2_000_000), by: 1 << 20))
    clock.advance(by: 51)
    #expect(try await disk.objectIfPresent(forKey: "own") == nil)
  }

  @Test(arguments: layouts)
  func anOpenedValueOutlivesItsReplacement(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let values = (0..<4).map { bytes(4_000_000 + $0, seed: $0) }
    try await disk.write(forKey: "film", from: PartSequence(values[0], by: 1 << 20))
    let replacements: [(DiskStorage<String>) async throws -> Void] = [
      { try await $0.write(forKey: "film", from: PartSequence(values[1], by: 1 << 20)) },
      { try await $0.setObject(values[2], forKey: "film") },
      { try await $0.removeObject(forKey: "film") },
      { try await $0.removeAll() },
    ]
    for replace in replacements {
      try await disk.write(forKey: "film", from: PartSequence(values[0], by: 1 << 20))
      let read = try await disk.read(forKey: "film")
      var parts = read.makeAsyncIterator()
      var data = try await parts.next() ?? Data()
      try await replace(disk)
      while let part = try await parts.next() { data.append(part) }
      #expect(data == values[0])
      #expect(try await read.data() == values[0])
      await #expect(throws: StorageError.notFound) { try await read.file?() }
    }
    #expect(try folder.names(EntryName.values) == [])
  }
}
