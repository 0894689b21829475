#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension EngineTable {
  /// The number of deadlines that are examined while other writers wait, which takes some milliseconds.
  private static var sweepStep: Int { 256 }

  /// Removes expired entries. The cost grows with the number of removed entries and of entries that expire within the
  /// hour.
  func removeExpired() throws {
    let now = clock.now
    var next: [UInt8]? = [EngineKey.deadline]
    while let start = next {
      var passed: [[UInt8]] = []
      next = nil
      try start.withUnsafeBytes { start in
        try engine.scan(from: start) { key, bytes in
          guard key.first == EngineKey.deadline else { return false }
          guard let hour = EngineKey.hour(ofDeadline: key) else { return true }
          if hour > now { return false }
          if passed.count == Self.sweepStep {
            next = Array(key)
            return false
          }
          if case .date(let date)? = EngineRecord(bytes)?.expiry, date <= now { passed.append(Array(key)) }
          return true
        }
      }
      // Only after the scan has ended: during a scan an engine may hold a lock that writers need.
      if !passed.isEmpty { try remove(passed, expiredBy: now) }
    }
    try reclaim(thoroughly: true)
  }

  /// Removes deadlines, and the entries that have expired with them.
  ///
  /// An entry that was replaced stays. Its deadline stays too if it is in the same hour, since both deadlines have the
  /// same key.
  func remove(_ deadlines: [[UInt8]], expiredBy now: Date) throws {
    try gate.alone {
      while true {
        var changes: [EngineChange] = []
        var conditions: [EngineCondition] = []
        var removed: [[UInt8]] = []
        for deadline in deadlines {
          guard let entry = deadline.withUnsafeBytes(EngineKey.entry(ofDeadline:)) else { continue }
          // The flags and the date of the record. If another entry has the same ones, it has expired too.
          let seen = try entry.withUnsafeBytes { entry in
            try engine.read(entry) { bytes in
              let record = EngineRecord(bytes)
              return (expiry: record?.expiry, head: Array(bytes.prefix(9)), value: try record?.divided)
            }
          }
          let state = seen.map { EngineCondition.Expected.beginning($0.head) } ?? .absent
          conditions.append(EngineCondition(key: entry, expected: state))
          if case .date(let date)? = seen?.expiry {
            if date <= now {
              changes.append(EngineChange(key: entry, record: nil))
              removed.append(entry)
              if let id = seen?.value?.id { changes += disowning(id) }
            } else if EngineKey.deadline(date, ofEntry: entry) == deadline {
              continue
            }
          }
          changes.append(EngineChange(key: deadline, record: nil))
        }
        if try !engine.write(changes, if: conditions) { continue }
        let gone = removed
        state.sizes.withLock { sizes in for key in gone { sizes?.remove(key) } }
        return
      }
    }
  }
}
