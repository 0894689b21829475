#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The check of `ranges`: parts of a value, compared with the same bytes in memory.
extension Trial {
  func ranges() async throws {
    let store = try await open()
    let part = StoredBytes.partSize
    var generator = SeededGenerator(seed: 1)
    for (number, count) in Set([0, 1, 1000, 70_000, part + 1, span(2 * part + 333, in: store)].map(size))
      .sorted().enumerated()
    {
      let value = MarkedValue(number, count: count)
      for isWritten in [true, false] {
        let key = "\(count) \(isWritten)"
        if isWritten {
          try await store.write(forKey: key, from: PartSource(value.data))
        } else {
          try await store.setObject(value.data, forKey: key, expiry: nil)
        }
        let circumstances = isWritten ? "after write(from:)" : "after setObject"
        let whole = try await store.read(forKey: key)
        // Without a range, the parts are those of the whole value.
        try expectNone(
          value.difference(of: try await parts(of: whole, at: key, circumstances), in: 0..<count), key,
          "\(circumstances), read(forKey:)")
        var ranges = Self.edges(of: count) + random(Effort.current.rounds(40), in: count, &generator)
        // A store without parts of its own reads the whole value for each range.
        if count > 100_000, !store.keepsParts {
          ranges = Array(ranges.shuffled(using: &generator).prefix(12))
        }
        for range in ranges {
          try await expectRange(range, of: value, at: key, in: store, whole, circumstances)
        }
      }
    }
    do {
      _ = try await store.read(forKey: "absent", range: 0..<10)
      throw broken("a range of an absent key is found")
    } catch StorageError.notFound {}
  }

  /// Ranges at the ends of a value and of parts: empty, of one byte, longer than the value, and behind its end.
  private static func edges(of count: Int) -> [Range<Int>] {
    let part = StoredBytes.partSize
    let ends = [0, 1, 63, 64, count / 2, part - 1, part, part + 1, 2 * part, count - 1, count]
    let places = Set(ends.filter { (0...count).contains($0) })
    let single = places.map { $0..<($0 + 1) }
    let empty = [0..<0, (count / 2)..<(count / 2), count..<count, (count + 5)..<(count + 5)]
    let beyond = [
      0..<(count + 1), 0..<Int.max, (count / 2)..<Int.max, count..<(count + 10), (count + 3)..<(count + 9),
      Int.max..<Int.max,
    ]
    let around = places.map { max(0, $0 - 2)..<($0 + 2) }
    return [0..<count, 0..<(count / 2), (count / 2)..<count] + single + empty + beyond + around
  }

  /// Mostly short ranges, since their ends matter and not what is between.
  private func random(_ number: Int, in count: Int, _ generator: inout SeededGenerator) -> [Range<Int>] {
    (0..<number).map { round in
      let start = Int.random(in: 0...(count + count / 8), using: &generator)
      let length = Int.random(in: 0...(round % 8 == 0 ? count : min(count, 5000)), using: &generator)
      return start..<(start + length)
    }
  }

  private func expectRange(
    _ range: Range<Int>, of value: MarkedValue, at key: String, in store: Store, _ whole: StoredBytes,
    _ circumstances: String
  ) async throws {
    let expected = range.clamped(to: 0..<value.count)
    for (bytes, way) in [
      (try await store.read(forKey: key, range: range), "read(forKey:range: \(range))"),
      (whole.reading(range), "reading(\(range))"),
    ] {
      try expect(
        bytes.length == value.count && bytes.range.count == expected.count
          && (expected.isEmpty || bytes.range == expected),
        "\(circumstances), \(way) gives the range \(bytes.range) of \(bytes.length) bytes, and not \(expected) of "
          + "\(value.count)")
      let found = try await parts(of: bytes, at: key, "\(circumstances), by \(way)")
      try expectNone(value.difference(of: found, in: expected), key, "\(circumstances), \(way)")
    }
  }
}
