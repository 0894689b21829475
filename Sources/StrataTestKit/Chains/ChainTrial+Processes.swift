#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// An order to the second process of a check of a chain.
enum ChainOrder: Codable {
  case set(String, ChainRecord, expiry: Date?)
  case setMany([String: ChainRecord])
  case remove(String)
  case removeAll
  case read(String)
  case expiry(String)
  case keys
  /// Change a number a number of times.
  case change(AtomicChange, String, times: Int)
  /// Store a value under as many keys as are absent, and answer their names.
  case setIfAbsent([String], ChainRecord)
  case writeParts(String, size: Int, seed: Int)
  case readParts(String)
}

extension ChainTrial {
  /// Runs `body` with a second process of this test, which is killed afterwards.
  func withChild<R>(_ body: (ChainChild) async throws -> R) async throws -> R {
    let assignment = Assignment(
      check: check.description, subject: subject.name, folder: folder, seed: 0)
    let child = try Child(assignment, log: log)
    defer { child.kill() }
    try await child.ready()
    return try await body(ChainChild(child: child))
  }

  /// Runs in the child: executes the parent's orders.
  func obey(_ parent: Line) async throws {
    let chain = try await open()
    try parent.send(Report.ready)
    while let order = try await parent.next(ChainOrder.self) {
      try parent.send(try await execute(order, in: chain))
    }
  }

  private func execute(_ order: ChainOrder, in chain: TestedChain) async throws -> Report {
    let store = chain.records
    switch order {
    case .set(let key, let record, let date):
      try await store.setObject(record, forKey: key, expiry: date.map { .date($0) })
    case .setMany(let records): try await store.setObjects(records, expiry: nil)
    case .remove(let key): try await store.removeObject(forKey: key)
    case .removeAll: try await store.removeAll()
    case .read(let key):
      return .found(try await store.objectIfPresent(forKey: key).map { try JSONEncoder().encode($0) })
    case .expiry(let key):
      guard case .date(let date) = try await store.entryIfPresent(forKey: key)?.expiry else {
        return .expires(nil)
      }
      return .expires(date)
    case .keys: return .keys(try await store.keys())
    case .change(let change, let key, let times): try await change.make(key, times, in: chain)
    case .setIfAbsent(let keys, let record):
      return .keys(try await setIfAbsent(record, forKeys: keys, in: chain))
    case .writeParts(let key, let size, let seed):
      try await self.bytes(chain).write(forKey: key, from: PartSource(StrataTestKit.bytes(size, seed: seed)))
    case .readParts(let key):
      return .found(try await self.bytes(chain).objectInParts(forKey: key))
    }
    return .done
  }
}

/// The second process of a check of a chain.
struct ChainChild: Sendable {
  let child: Child

  /// Sends an order that has no result.
  func perform(_ order: ChainOrder) async throws {
    let report = try await child.answer(to: order)
    if report != .done { throw CannotCheck("the second process answers \(report)") }
  }

  func read(_ key: String) async throws -> ChainRecord? {
    guard case .found(let data) = try await child.answer(to: ChainOrder.read(key)) else {
      throw CannotCheck("the second process read nothing")
    }
    return try data.map { try JSONDecoder().decode(ChainRecord.self, from: $0) }
  }

  func expiry(_ key: String) async throws -> Date? {
    guard case .expires(let date) = try await child.answer(to: ChainOrder.expiry(key)) else {
      throw CannotCheck("the second process answers no expiry")
    }
    return date
  }

  /// Sends an order whose result is a list of keys.
  func keys(_ order: ChainOrder = .keys) async throws -> [String] {
    guard case .keys(let keys) = try await child.answer(to: order) else {
      throw CannotCheck("the second process answers no keys")
    }
    return keys
  }

  func readParts(_ key: String) async throws -> Data? {
    guard case .found(let data) = try await child.answer(to: ChainOrder.readParts(key)) else {
      throw CannotCheck("the second process read no parts")
    }
    return data
  }
}
