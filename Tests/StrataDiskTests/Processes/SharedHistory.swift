#if os(Linux)
  import Foundation
  import StrataCore
  import StrataDisk
  import StrataTestKit

  /// The operations of one process on shared keys, with their times.
  struct SharedHistory {
    /// An operation as it is recorded.
    struct Note: Codable {
      let key: String
      /// The number written; 0 for a removal.
      var wrote: Int?
      /// The number read; 0 for nothing.
      var read: Int?
      let start: Int
      let end: Int
    }

    static let processes = 4
    private let task: WorkerTask

    init(_ task: WorkerTask) { self.task = task }

    /// The keys of a round; each round has keys of its own, which are absent at its start.
    static func keys(_ round: Int) -> [String] { ["round \(round) a", "round \(round) b"] }

    /// Returns a value that identifies its number, so that a mixture of two is detected. Some are large enough for a
    /// file.
    static func value(_ number: Int) -> Data {
      Data(
        repeating: UInt8(truncatingIfNeeded: number & 0xFF),
        count: number % 29 == 0 ? 70_000 + number : 200 + number)
    }

    static func number(_ value: Data) -> Int? {
      let number = value.count >= 70_000 ? value.count - 70_000 : value.count - 200
      return value == Self.value(number) ? number : nil
    }

    /// Takes part in all rounds, and writes the recorded operations to the task's file.
    func record(rounds: Int, start file: URL, spacing: Int) throws {
      let disk = try task.open()
      try Data().write(to: task.notes)
      while !FileManager.default.fileExists(atPath: file.path) { usleep(500) }
      guard let start = Int(try String(contentsOf: file, encoding: .utf8)) else { throw NoTime() }
      var random = SeededGenerator(seed: UInt64(task.number))
      var notes: [Note] = []
      for round in 0..<rounds {
        // All processes start a round at about the same time. The result does not depend on it.
        while moment() < start + round * spacing { usleep(100) }
        for step in 0..<6 { try notes += note(round, step, disk, &random) }
        try churn(round, disk)
      }
      try JSONEncoder().encode(notes).write(to: task.notes)
    }

    /// Runs one operation on the keys of a round.
    private func note(
      _ round: Int, _ step: Int, _ disk: DiskStorage<String>, _ random: inout SeededGenerator
    ) throws -> [Note] {
      let keys = Self.keys(round)
      let key = keys[Int.random(in: 0..<2, using: &random)]
      let number = 1 + task.number * 6 + step
      let start = moment()
      switch Int.random(in: 0..<12, using: &random) {
      case 0...2:
        try disk.setObject(Self.value(number), forKey: key, expiry: nil)
        return [Note(key: key, wrote: number, start: start, end: moment())]
      case 3:
        let value = Self.value(number)
        try disk.setObjects([keys[0]: value, keys[1]: value], expiry: nil)
        let end = moment()
        return keys.map { Note(key: $0, wrote: number, start: start, end: end) }
      case 4:
        try disk.removeObject(forKey: key)
        return [Note(key: key, wrote: 0, start: start, end: moment())]
      case 5:
        // Storing an entry that has already expired is equivalent to removing it.
        try disk.setObject(Self.value(number), forKey: key, expiry: .seconds(-1))
        return [Note(key: key, wrote: 0, start: start, end: moment())]
      case 6:
        try disk.removeExpiredObjects()
        return []
      case 7:
        let found = try disk.entries(forKeys: keys)
        let end = moment()
        return try keys.map { Note(key: $0, read: try seen(found[$0]), start: start, end: end) }
      case 8, 9:
        let found = try disk.entryIfPresent(forKey: key)
        return [Note(key: key, read: try seen(found), start: start, end: moment())]
      default:
        // Reads as a caller would that avoids blocking.
        let cached = disk.cachedEntry(forKey: key)
        let found = cached == .unknown ? try disk.entryIfPresent(forKey: key) : try cached.get()
        return [Note(key: key, read: try seen(found), start: start, end: moment())]
      }
    }

    private func seen(_ entry: Entry<Data>?) throws -> Int {
      guard let entry, !entry.expiry.isExpired else { return 0 }
      guard let number = Self.number(entry.object) else { throw WrongValue(length: entry.object.count) }
      return number
    }

    private struct NoTime: Error {}

    struct WrongValue: Error { let length: Int }

    /// Overwrites large values, so that other processes have to compact the log.
    private func churn(_ round: Int, _ disk: DiskStorage<String>) throws {
      let key = "of process \(task.number) alone \(round % 4)"
      try disk.setObject(Data(repeating: 1, count: 30_000), forKey: key, expiry: nil)
      if round % 16 == 15 {
        try disk.removeObjects(forKeys: (0..<4).map { "of process \(task.number) alone \($0)" })
      }
    }
  }
#endif
