import BenchHarness
import Foundation

extension Data: Weighable { var weight: Int { count } }

/// The child process that fills one cache and reports its memory.
enum FootprintProbe {
  /// The command, which is only used by this program.
  static let command = "footprint-probe"

  enum Kind: String, CaseIterable {
    case dictionary, sharded, lru, nscache, memory

    var label: String {
      switch self {
      case .dictionary: Name.dictionary
      case .sharded: Name.shards
      case .lru: Name.lru
      case .nscache: Name.nsCache
      case .memory: Name.memory
      }
    }
  }

  enum Content: String, CaseIterable {
    case integers, strings

    var label: String {
      switch self {
      case .integers: "Int → Int"
      case .strings: "String → 100 B"
      }
    }
  }

  struct Answer: Codable {
    /// The allocated bytes per entry.
    let allocated: Double
    /// The growth of the process per entry in bytes.
    let resident: Double
  }

  static func answer(_ words: some Collection<String>) throws {
    let words = Array(words)
    guard words.count == 3, let kind = Kind(rawValue: words[0]), let content = Content(rawValue: words[1]),
      let count = Int(words[2])
    else { throw UsageError("\(command) is used only by this program itself") }
    let answer =
      switch content {
      case .integers: try probe(kind, count) { (number: Int) in (number, number) }
      case .strings:
        try probe(kind, count) { number in (String(number: number), Data(repeating: 7, count: 100)) }
      }
    print(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
  }

  private static func probe<Key: BenchKey, Value: Weighable>(
    _ kind: Kind, _ count: Int, _ entry: (Int) -> (Key, Value)
  ) throws -> Answer {
    switch kind {
    case .dictionary: try fill(LockedDictionary(), count, entry)
    case .sharded: try fill(ShardedDictionary(), count, entry)
    case .lru: try fill(TextbookLRU(capacity: count * 2), count, entry)
    case .nscache: try fill(FoundationCache(), count, entry)
    case .memory: try fill(StrataCache(capacity: count * 2), count, entry)
    }
  }

  private static func fill<C: Cache>(
    _ cache: C, _ count: Int, _ entry: (Int) -> (C.Key, C.Value)
  ) throws -> Answer {
    let before = (Heap.bytesInUse, Heap.residentBytes)
    for number in 0..<count {
      let (key, value) = entry(number)
      try cache.store(value, forKey: key)
    }
    let after = (Heap.bytesInUse, Heap.residentBytes)
    return withExtendedLifetime(cache) {
      Answer(
        allocated: Double(after.0 - before.0) / Double(count),
        resident: Double(after.1 - before.1) / Double(count))
    }
  }
}
