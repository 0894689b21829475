#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import Synchronization

/// The generations of tags, and of all that a loading store keeps: random numbers, which a removal replaces.
///
/// A value carries the generation of each of its tags from before it was loaded. It is valid while they are the same:
/// so to remove a tag costs one write, however many values have it, and no clock of any machine is asked. A generation
/// that is lost counts as replaced.
///
/// By default they are kept in memory, and removals by tag are this process's own. Machines that share a store share
/// its generations too: give them a store that announces changes, with memory in front, as Documentation/Loading.md
/// does with Redis.
public final class Generations: Sendable {
  private struct Table: Sendable {
    var tags: [String: UInt64] = [:]
  }

  private let local = Locked(Table())
  private let shared: (any StorageAware<String, Data>)?
  private let required = Atomic<UInt64>(0)

  /// Keeps generations in memory: 8 bytes and the name of each tag in use.
  public init() { shared = nil }

  /// Keeps generations in a store, 8 bytes under the name of each tag, and those of everything under an empty name.
  public init(_ store: some StorageAware<String, Data>) { shared = store }

  /// The most tags that are kept in memory; beyond it all are forgotten, and what has tags counts as removed.
  static let limit = 1 << 20

  /// The generation that every value must have, where that is known without waiting; 0 if none is required.
  var requiredCached: CacheLookup<UInt64> {
    guard shared != nil else { return .found(required.load(ordering: .acquiring)) }
    return cached("")
  }

  /// The generation under a name, where that is known without waiting.
  func cached(_ name: String) -> CacheLookup<UInt64> {
    guard let shared else {
      return local.withLock { $0.tags[name] }.map(CacheLookup.found) ?? .absent
    }
    guard let entry = shared.peek(forKey: name), !entry.expiry.isExpired(by: shared.clock) else {
      return .unknown
    }
    return Self.number(entry.object).map(CacheLookup.found) ?? .absent
  }

  /// The generation under a name; makes one where there is none and `makes` says so.
  func generation(_ name: String, makes: Bool) async throws -> UInt64? {
    guard let shared else {
      if name.isEmpty { return required.load(ordering: .acquiring) }
      return local.withLock { Self.tag(name, makes: makes, in: &$0) }
    }
    if let known = try await shared.objectIfPresent(forKey: name).flatMap(Self.number) { return known }
    return makes ? try await replace(name) : nil
  }

  private static func tag(_ name: String, makes: Bool, in table: inout Table) -> UInt64? {
    if let known = table.tags[name] { return known }
    guard makes else { return nil }
    if table.tags.count >= limit { table.tags = [:] }
    let new = newGeneration()
    table.tags[name] = new
    return new
  }

  /// Replaces the generation under a name: what has the old one is not valid any more.
  @discardableResult
  func replace(_ name: String) async throws -> UInt64 {
    let new = Self.newGeneration()
    if let shared {
      try await shared.setObject(Self.bytes(new), forKey: name, expiry: .never)
    } else if name.isEmpty {
      required.store(new, ordering: .releasing)
    } else {
      local.withLock { $0.tags[name] = new }
    }
    return new
  }

  private static func newGeneration() -> UInt64 { .random(in: 1 ... .max) }

  private static func bytes(_ number: UInt64) -> Data {
    Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  private static func number(_ bytes: Data) -> UInt64? {
    guard bytes.count == 8 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
