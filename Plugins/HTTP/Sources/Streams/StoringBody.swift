import Foundation
import StrataCore

/// A body of unknown length that is stored while its only reader reads it.
///
/// Unchecked: one task at a time reads a body.
final class StoringBody: @unchecked Sendable {
  private let body: ResponseBody
  private let limit: Int
  private let commit: @Sendable (any StagedBytes, Int) async throws -> Bool
  private let exceed: @Sendable () async throws -> Void
  private var staged: (any StagedBytes)?
  private var count = 0

  /// - Parameters:
  ///   - commit: puts the whole body in force.
  ///   - exceed: called once for a body that is longer than the limit, or that the store refuses as too large.
  init(
    _ body: ResponseBody, _ staged: any StagedBytes, limit: Int,
    _ commit: @escaping @Sendable (any StagedBytes, Int) async throws -> Bool,
    exceed: @escaping @Sendable () async throws -> Void
  ) {
    self.body = body
    self.staged = staged
    self.limit = limit
    self.commit = commit
    self.exceed = exceed
  }

  /// A reader that leaves before the end leaves nothing in the store.
  deinit { if let staged { Task { await staged.discard() } } }

  func next() async throws -> StoredBytes.Parts {
    let parts = try await body.open()
    return { try await self.part(parts) }
  }

  private func part(_ parts: StoredBytes.Parts) async throws -> Data? {
    guard let part = try await parts() else {
      do {
        if let staged, try await commit(staged, count) { self.staged = nil }
      } catch StorageError.tooLarge { try await giveUp() }
      return nil
    }
    count += part.count
    if count > limit { try await giveUp() }
    do { try await staged?.append(part) } catch StorageError.tooLarge { try await giveUp() }
    return part
  }

  /// Goes on without storing: the body is too long to be stored, but not to be returned.
  private func giveUp() async throws {
    guard let staged else { return }
    self.staged = nil
    await staged.discard()
    try await exceed()
  }
}
