#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Removal of the parts of values that entries do not have any more.
extension EngineTable {
  /// Returns the identities of those entries' values that are stored in parts.
  func divided(_ keys: some Sequence<[UInt8]>) throws -> [ValueID] {
    var ids: [ValueID] = []
    for key in keys {
      _ = try key.withUnsafeBytes { key in
        try engine.read(key) { if let id = try EngineRecord($0)?.divided?.id { ids.append(id) } }
      }
    }
    return ids
  }

  /// Returns the changes that note that nobody owns the parts of an entry's value any more.
  func disowning(_ id: ValueID) -> [EngineChange] {
    [
      EngineChange(key: PartKey.entry(id), record: nil),
      EngineChange(key: PartKey.nobody(id), record: Data()),
    ]
  }

  func disown(_ id: ValueID, by change: Engine.LentChange) throws {
    for part in disowning(id) {
      try part.key.withUnsafeBytes { key in
        guard let record = part.record else { return try change(key, nil) }
        try record.withUnsafeBytes { try change(key, $0) }
      }
    }
  }

  func removeParts(of id: ValueID) throws {
    let condition = EngineCondition(key: PartKey.writer(id), expected: .beginning([]))
    let isDisowned = try gate.alone {
      try engine.write(
        [
          EngineChange(key: PartKey.writer(id), record: nil),
          EngineChange(key: PartKey.nobody(id), record: Data()),
        ], if: [condition])
    }
    if isDisowned { try removeParts(ofDisowned: [id]) }
  }

  /// Removes the parts of values that belong to nobody. Nobody writes or reads them, so no lock is needed.
  func removeParts(ofDisowned ids: [ValueID]) throws {
    for id in ids {
      try engine.removeRecords(from: PartKey.part(0, of: id), until: PartKey.part(.max, of: id))
      // The owner last, so that a sweep finds the rest if this process ends.
      try engine.write([EngineChange(key: PartKey.nobody(id), record: nil)])
    }
  }

  func reclaim(thoroughly: Bool) throws {
    // Another process may have stored the first one, so a thorough search looks again.
    guard try thoroughly || mayHaveParts() else { return }
    let lapsed = clock.now.addingTimeInterval(-stagingLease)
    var nobodys: [ValueID] = []
    var lost: [[UInt8]] = []
    var entries: [(owner: [UInt8], id: ValueID, key: [UInt8])] = []
    try [PartKey.owner].withUnsafeBytes { start in
      try engine.scan(from: start) { key, record in
        guard key.first == PartKey.owner, key.count == 2 + ValueID.size,
          let id = ValueID(key.part(2...))
        else { return key.first == PartKey.owner }
        switch key[1] {
        case 0: nobodys.append(id)
        case 1: if PartKey.date(record).map({ $0 < lapsed }) ?? false { lost.append(Array(key)) }
        default:
          if !thoroughly { return false }
          entries.append((Array(key), id, Array(record)))
        }
        return true
      }
    }
    // Only after the scan has ended: during a scan an engine may hold a lock that writers need.
    for (owner, id, key) in entries where try !divided([key]).contains(id) { lost.append(owner) }
    for owner in lost {
      guard let id = owner.withUnsafeBytes({ ValueID($0.part(2...)) }) else {
        continue
      }
      let isDisowned = try gate.alone {
        // The writer may have gone on meanwhile, or committed.
        let isStill = try owner.withUnsafeBytes { owner in
          try engine.read(owner) { owner[1] != 1 || PartKey.date($0).map { $0 < lapsed } ?? false } ?? false
        }
        if !isStill { return false }
        try engine.write([
          EngineChange(key: owner, record: nil), EngineChange(key: PartKey.nobody(id), record: Data()),
        ])
        return true
      }
      if isDisowned { nobodys.append(id) }
    }
    try removeParts(ofDisowned: nobodys)
  }
}
