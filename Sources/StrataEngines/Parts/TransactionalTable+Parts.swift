#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import StrataCore

extension EntryReader {
  /// Returns a value that is stored in parts. Throws `MissingPart` if it is not complete.
  package func whole(_ value: DividedValue) throws -> Data {
    guard let data = try bytes(0..<value.partCount, of: value) else {
      throw MissingPart(failure: value.incomplete)
    }
    return data
  }

  func bytes(_ numbers: Range<Int>, of value: DividedValue) throws -> Data? {
    try value.assembled(numbers) { try withPart($0, of: value.id, $1) }
  }
}

extension TransactionalTable {
  /// Runs `body`, which reads an entry. If it is replaced between two reads of `body`, runs it again, with all reads
  /// from one snapshot.
  @inline(__always)
  package func assembling<R: Sendable>(_ body: (Reader) throws -> R) throws -> R {
    do { return try read(together: false, body) } catch is MissingPart {
      return try read(together: true, body)
    }
  }

  package func stored(_ text: String) throws -> StoredForm? {
    try read(together: false) { try $0.stored(text) }
  }

  package func bytes(_ numbers: Range<Int>, of value: DividedValue) throws -> Data? {
    try read(together: false) { try $0.bytes(numbers, of: value) }
  }

  package func putParts(_ records: [Data], from number: Int, of id: ValueID) throws {
    let now = clock.now
    // Not `change`: no entry changes, so nothing is evicted and no lease is needed.
    _ = try write(storing: records.reduce(0) { $0 + $1.count }) { transaction in
      let owner = try transaction.owner(of: id)
      // After the first parts, the owner is missing only if a sweep has removed it.
      switch owner {
      case .writer: break
      case nil where number == 0 && !records.isEmpty: break
      default: throw StorageError.stagedPartsLost
      }
      try transaction.setOwner(.writer(now), of: id)
      for (index, record) in records.enumerated() { try transaction.putPart(record, number + index, of: id) }
      return true
    }
  }

  package func put(_ value: DividedValue, _ text: String, _ expiry: Expiry, ifAbsent: Bool) throws -> Bool {
    try write(storing: 0) { transaction in
      try StorageLease.current?.check()
      guard case .writer = try transaction.owner(of: value.id) else { throw StorageError.stagedPartsLost }
      if ifAbsent, let seen = try transaction.expiry(text), !seen.isExpired(by: clock) { return false }
      try transaction.setOwner(.entry(text), of: value.id)
      try transaction.put(text, value, expiry)
      try makeRoom(in: transaction)
      return true
    }
  }

  package func removeParts(of id: ValueID) throws {
    let isDisowned = try write(storing: nil) { transaction in
      guard case .writer = try transaction.owner(of: id) else { return false }
      try transaction.setOwner(.nobody, of: id)
      return true
    }
    if isDisowned { try removeDisownedParts() }
  }

  package func reclaim(thoroughly: Bool) throws {
    let lapsed = clock.now.addingTimeInterval(-stagingLease)
    let isNeeded = try read(together: true) { reader in
      try !self.lost(among: reader, before: lapsed, thoroughly).isEmpty
    }
    if isNeeded {
      _ = try write(storing: nil) { transaction in
        for id in try lost(among: transaction, before: lapsed, thoroughly) {
          try transaction.setOwner(.nobody, of: id)
        }
        return true
      }
    }
    try removeDisownedParts()
  }

  /// Returns the values whose writers have stopped or, with `thoroughly`, whose entries have other values.
  private func lost(among reader: some EntryReader, before date: Date, _ thoroughly: Bool) throws -> [ValueID]
  {
    var lost: [ValueID] = []
    try reader.eachOwner(all: thoroughly) { id, owner in
      switch owner {
      case .nobody: break
      case .writer(let last): if last < date { lost.append(id) }
      case .entry(let text):
        if case .divided(let value, _)? = try reader.stored(text), value.id == id { break }
        lost.append(id)
      }
    }
    return lost
  }

  /// Removes the parts of values that nobody owns, some megabytes with each transaction.
  func removeDisownedParts() throws {
    let share = 16
    while true {
      let isMore = try write(storing: nil) { transaction in
        guard let id = try transaction.disowned(atMost: 1).first else { return false }
        // The owner is removed last, so that a sweep finds the rest if this process ends.
        if try transaction.removeParts(of: id, atMost: share) < share {
          try transaction.setOwner(nil, of: id)
        }
        return true
      }
      if !isMore { return }
    }
  }
}
