#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Writes that do not come to their end.
extension Trial {
  /// Sources that throw, or whose task is cancelled, at the beginning, in the middle and at the end.
  func failingSources() async throws {
    let store = try await open()
    let old = MarkedValue(1, count: size(3000))
    try await store.write(forKey: "old", from: PartSource(old.data))
    for (number, count) in [3000, 2 * StoredBytes.partSize + 500].map(size).enumerated() {
      let new = MarkedValue(10 + number, count: count).data
      for event in PartSource.Event.allCases {
        for place in [0, 1, count / 2, count] {
          for key in ["old", "absent"] {
            let source = PartSource(new, event, at: place)
            let circumstances =
              "after a \(event) of the source, when \(place) of \(count) bytes had been written"
            try await expectFailure(event, circumstances) { try await store.write(forKey: key, from: source) }
          }
          try await expectStream(old, at: "old", in: store, "after a \(event) of the source")
          try await expect(nil, at: "absent", in: store, "after a \(event) of the source")
        }
      }
    }
    try await expect(old.data, at: "old", in: store, "after failures of the source")
    try await expectKeys(["old"], in: store, "after failures of the source")
    let next = MarkedValue(20, count: size(5000))
    try await store.write(forKey: "absent", from: PartSource(next.data))
    try await expectStream(next, at: "absent", in: store, "written after failures of the source")
  }

  /// Checks that a write throws the error of its source.
  private func expectFailure(
    _ event: PartSource.Event, _ circumstances: String, _ write: @escaping @Sendable () async throws -> Void
  ) async throws {
    // A task of its own, since the source may cancel it.
    switch (event, await Task { try await write() }.result) {
    case (_, .success): throw broken("\(circumstances), the write did not throw")
    case (.failure, .failure(let error)):
      try expect(error is PartSource.Failed, "\(circumstances), the write threw \(error)")
    case (.cancellation, .failure): break
    }
  }

  /// Values that are staged by hand: nothing of them is visible until they are committed, in whatever order.
  func stagedValues() async throws {
    let store = try await open()
    let (old, new) = (MarkedValue(1, count: size(900)), MarkedValue(2, count: size(200_000)))
    let other = MarkedValue(3, count: size(70_000))
    try await store.setObject(old.data, forKey: "old", expiry: nil)
    for key in ["old", "new"] {
      let (first, second) = (try await store.stage(key, nil, []), try await store.stage(key, nil, []))
      try await append(new, 0..<(new.count / 2), to: first)
      try await append(other, 0..<other.count, to: second)
      try await append(new, (new.count / 2)..<new.count, to: first)
      let before = key == "old" ? old : nil
      try await expectStream(before, at: key, in: store, "while another value is staged")
      try await expect(before?.data, at: key, in: store, "while another value is staged")
      try await expectKeys(key == "old" ? ["old"] : ["old"], in: store, "while a value is staged")
      try await store.removeExpiredObjects()
      try await second.commit(ifAbsent: false)
      try await expectStream(other, at: key, in: store, "after the first of two commits")
      try await first.commit(ifAbsent: false)
      await second.discard()
      await first.discard()
      try await expectStream(new, at: key, in: store, "after the second of two commits")
      try await expectWhole(new, at: key, in: store, "after the second of two commits")
      let third = try await store.stage(key, nil, [])
      try await append(other, 0..<other.count, to: third)
      try await store.removeObject(forKey: key)
      await third.discard()
      try await expectStream(nil, at: key, in: store, "after a removal, and a discarded value")
      try await expectKeys(key == "old" ? [] : ["old"], in: store, "after a removal, and a discarded value")
      try await store.setObject(old.data, forKey: "old", expiry: nil)
    }
  }

  /// Appends bytes. Throws `BrokenPromise` if they can be read again, but are others.
  func append(_ value: MarkedValue, _ range: Range<Int>, to staged: any StagedBytes) async throws {
    try await staged.append(value.bytes(range))
    for part in [0..<range.upperBound, range, range.lowerBound..<min(range.lowerBound + 100, value.count)] {
      guard let found = try await staged.bytes(at: part.lowerBound, count: part.count) else { continue }
      // It may return fewer bytes, but must return some.
      let expected = part.lowerBound..<(part.lowerBound + min(found.count, part.count))
      try expect(!found.isEmpty || part.isEmpty, "bytes(at: \(part.lowerBound)) of a staged value gives none")
      try expectNone(
        value.difference(of: found, in: expected), "staged", "bytes(at:count:) of a staged value")
    }
  }
}
