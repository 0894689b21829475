#if os(Linux)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataDisk

  /// The memory of the index is returned to the system when many entries are removed.
  @Suite(.serialized) struct FreedMemoryTests {
    @Test func removeAll() throws {
      let folder = try TestFolder(.automatic)
      let disk = try folder.open(Int.self)
      try disk.setObject(text("1"), forKey: 1, expiry: nil)
      let session = try #require(disk.engine as? LogFolder).using { $0 }
      FreedMemory.giveBack()
      let before = try residentMemory()
      // The slots of a million records that do not exist in a log: only the index is measured.
      var random = Seeded(state: 3)
      var slots = DividedSlots(expecting: 1_000_000)
      for i in 0..<1_000_000 {
        let location = Location(segment: 1, offset: 56 + 8 * i, length: 8, isFile: false)
        slots.append(
          IndexSlot(hash: random.next(), location: location, tag: UInt32(i), deadline: .max))
      }
      session.index.begin(with: &slots, oldest: 1)
      slots = DividedSlots()
      session.index.complete { _ in }
      // Released at the end: otherwise the allocator might return the memory before it on its own.
      let last = Array(repeating: UInt8(1), count: 2000)
      let full = try residentMemory()
      // Less than the size of the slots: the allocator may reuse pages that other tests have freed.
      try #require(full - before > 12 << 20, "\(before >> 20) and \(full >> 20) MB")
      try disk.removeAll()
      let after = try residentMemory()
      withExtendedLifetime(last) {}
      #expect(after - before < (full - before) / 3, "\(before >> 20), \(full >> 20), \(after >> 20) MB")
    }
  }
#endif
