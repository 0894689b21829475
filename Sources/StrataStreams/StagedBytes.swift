#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that is being written a part at a time. Readers of the store do not see it until it is committed.
///
/// ```swift
/// let staged = try await films.stage("intro", nil, [])
/// do {
///   for part in parts { try await staged.append(part) }
///   try await staged.commit(ifAbsent: false)
/// } catch {
///   await staged.discard()
///   throw error
/// }
/// ```
///
/// A store returns one from `stage`, and `write(forKey:from:)` does the rest. One task uses it at a time, except that
/// others may read parts meanwhile.
public protocol StagedBytes: Sendable {
  /// Appends bytes. Throws if they cannot be stored, for example because the value has become larger than the store's
  /// limit. It can then only be discarded.
  func append(_ bytes: Data) async throws
  /// Returns at most `count` of the bytes that have been appended, from an offset on, while the value is not committed
  /// or after it. Returns `nil` if the store cannot read them.
  func bytes(at offset: Int, count: Int) async throws -> Data?
  /// Stores the value in place of the old one, in one step, and returns whether it did. If it throws, the old value is
  /// still stored, unless the error says that this is unknown.
  ///
  /// - Parameter ifAbsent: whether to store it only if there is no value that has not expired, as `setIfAbsent` does.
  @discardableResult
  func commit(ifAbsent: Bool) async throws -> Bool
  /// Deletes the bytes, if they have not been committed. The old value stays.
  func discard() async
}

/// A staged value whose bytes are kept in memory, for stores that cannot store parts.
package final class StagedInMemory: StagedBytes {
  private let data = Locked(Data())
  private let store: @Sendable (_ data: Data, _ ifAbsent: Bool) async throws -> Bool

  package init(store: @escaping @Sendable (_ data: Data, _ ifAbsent: Bool) async throws -> Bool) {
    self.store = store
  }

  package func append(_ bytes: Data) async throws { data.withLock { $0.append(bytes) } }

  package func bytes(at offset: Int, count: Int) async throws -> Data? {
    data.withLock { $0.dropFirst(offset).prefix(count) }
  }

  package func commit(ifAbsent: Bool) async throws -> Bool { try await store(data.withLock { $0 }, ifAbsent) }

  package func discard() async { data.withLock { $0 = Data() } }
}

/// A staged value of an inner store, with a rule of the link above it for the commit.
package struct LinkedBytes: StagedBytes {
  /// Calls `commit` at the right moment, for example in the key's turn, and returns its result.
  package typealias Rule = @Sendable (_ commit: () async throws -> Bool) async throws -> Bool

  private let base: any StagedBytes
  private let rule: Rule

  package init(_ base: any StagedBytes, commit rule: @escaping Rule) {
    self.base = base
    self.rule = rule
  }

  package func append(_ bytes: Data) async throws { try await base.append(bytes) }

  package func bytes(at offset: Int, count: Int) async throws -> Data? {
    try await base.bytes(at: offset, count: count)
  }

  package func commit(ifAbsent: Bool) async throws -> Bool {
    try await commit(ifAbsent: ifAbsent, when: { true })
  }

  package func discard() async { await base.discard() }

  func commit(ifAbsent: Bool, when isWanted: @Sendable () -> Bool) async throws -> Bool {
    try await rule { isWanted() ? try await base.commit(ifAbsent: ifAbsent) : false }
  }
}

/// A staged value that can be committed on a condition, which is checked in the key's turn.
protocol ConditionalBytes: StagedBytes {
  func commit(ifAbsent: Bool, when isWanted: @Sendable () -> Bool) async throws -> Bool
}

extension LinkedBytes: ConditionalBytes {}

extension StagedBytes {
  /// Commits the value if it is still wanted. That is decided in the key's turn, if the store orders its operations.
  package func commit(ifAbsent: Bool, ifWanted isWanted: @Sendable () -> Bool) async throws -> Bool {
    if let staged = self as? any ConditionalBytes {
      return try await staged.commit(ifAbsent: ifAbsent, when: isWanted)
    }
    return isWanted() ? try await commit(ifAbsent: ifAbsent) : false
  }
}
