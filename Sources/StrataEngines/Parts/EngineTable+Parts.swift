#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

extension EngineTable {
  var partSize: Int { min(DividedValue.usualPartSize, max(engine.longestRecord - DividedValue.partHead, 1)) }

  func refuseTooLong(_ length: Int, _ text: String) throws {
    guard let limit else { return }
    let size = name(of: text).size + length
    if size > limit { throw LimitExceeded(size: size, limit: limit) }
  }

  // MARK: Reading

  func stored(_ text: String) throws -> StoredForm? {
    let name = name(of: text)
    let form = try read(name) { try $0.stored }
    if form != nil { noteUse(of: name.bytes) }
    return form
  }

  func bytes(_ numbers: Range<Int>, of value: DividedValue) throws -> Data? {
    try value.assembled(numbers) { number, body in
      try PartKey.part(number, of: value.id).withUnsafeBytes { try engine.read($0, body) } != nil
    }
  }

  /// Returns an entry whose value is stored in parts. If it is replaced meanwhile, returns the new one.
  func assembled(_ value: DividedValue, _ name: EngineKey) throws -> Entry<Data>? {
    var value = value
    while true {
      let data = try bytes(0..<value.partCount, of: value)
      switch try read(name, { try $0.stored }) {
      case nil: return nil
      case .whole(let entry)?: return entry
      case .divided(let current, let expiry)?:
        if current.id == value.id {
          guard let data else { throw MissingPart(failure: value.incomplete) }
          return Entry(object: data, expiry: expiry)
        }
        value = current
      }
    }
  }

  // MARK: Writing

  /// Whether the engine may have values in parts. The first call looks; later ones cost nothing.
  func mayHaveParts() throws -> Bool {
    switch state.parts.load(ordering: .relaxed) {
    case 0: break
    case let known: return known == 2
    }
    var isFound = false
    try [PartKey.owner].withUnsafeBytes { start in
      try engine.scan(from: start) { key, _ in
        isFound = key.first == PartKey.owner
        return false
      }
    }
    // Another thread may have stored the first one meanwhile.
    _ = state.parts.compareExchange(expected: 0, desired: isFound ? 2 : 1, ordering: .relaxed)
    return state.parts.load(ordering: .relaxed) == 2
  }

  func putParts(_ records: [Data], from number: Int, of id: ValueID) throws {
    let owner = EngineChange(key: PartKey.writer(id), record: PartKey.record(clock.now))
    let changes = records.enumerated().map {
      EngineChange(key: PartKey.part(number + $0, of: id), record: $1)
    }
    let isFirst = number == 0 && !records.isEmpty
    // From the first part on, writers look whether they replace a value in parts.
    if isFirst { state.parts.store(2, ordering: .relaxed) }
    let conditions = isFirst ? [] : [EngineCondition(key: owner.key, expected: .beginning([]))]
    var isWritten = false
    // Other writers go on meanwhile. Only a sweep or this writer changes the owner, and a sweep does so alone.
    let isBeside = try owner.key.withUnsafeBytes { key in
      try gate.beside(key) { isWritten = try engine.write(changes + [owner], if: conditions) }
    }
    if !isBeside { isWritten = try gate.alone { try engine.write(changes + [owner], if: conditions) } }
    if !isWritten { throw StorageError.stagedPartsLost }
  }

  func put(_ value: DividedValue, _ text: String, _ expiry: Expiry, ifAbsent: Bool) throws -> Bool {
    let key = name(of: text)
    let writer = PartKey.writer(value.id)
    let moves = [
      EngineChange(key: writer, record: nil),
      EngineChange(key: PartKey.entry(value.id), record: Data(key.bytes)),
    ]
    while true {
      var conditions = [EngineCondition(key: writer, expected: .beginning([]))]
      if ifAbsent {
        let seen = try read(key) { (expiry: $0.expiry, isDivided: $0.isDivided) }
        if let seen, !seen.expiry.isExpired(by: clock) { return false }
        conditions.append(condition(on: key, seen))
      }
      if try putAlone([(text, value.description, expiry)], value, if: conditions, and: moves) { return true }
      let isStaged = try writer.withUnsafeBytes { try engine.read($0) { _ in true } }
      if isStaged == nil { throw StorageError.stagedPartsLost }
    }
  }

  /// Returns the condition that an entry, or none, is still as it was seen.
  func condition(on key: EngineKey, _ seen: (expiry: Expiry, isDivided: Bool)?) -> EngineCondition {
    guard let seen else { return EngineCondition(key: key.bytes, expected: .absent) }
    let head = EngineRecord.head(seen.expiry, text: key.text, isDivided: seen.isDivided)
    return EngineCondition(key: key.bytes, expected: .beginning(head))
  }
}
