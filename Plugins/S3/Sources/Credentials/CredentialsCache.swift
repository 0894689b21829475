#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The credentials of a client, requested from their provider once and again before they expire.
final class CredentialsCache: Sendable {
  private struct State {
    var cached: S3Credentials?
    /// Whether the provider is being asked, for all that wait.
    var isAsking = false
    var lastID = 0
    var waiting: [Int: CheckedContinuation<S3Credentials, any Error>] = [:]

    /// Returns credentials that are valid for at least one more minute.
    func current(at date: Date) -> S3Credentials? {
      guard let cached else { return nil }
      return cached.expiration.map { $0.timeIntervalSince(date) > 60 } ?? true ? cached : nil
    }
  }

  private let provider: any S3CredentialsProvider
  private let state = Locked(State())

  init(_ provider: any S3CredentialsProvider) { self.provider = provider }

  /// Returns credentials that are valid for at least one more minute. A cancelled task does not wait for the provider,
  /// which is not cancelled: others may wait for it.
  func current(at date: Date) async throws -> S3Credentials {
    let (known, id) = state.withLock { state in
      state.lastID += 1
      return (state.current(at: date), state.lastID)
    }
    if let known { return known }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (known, asks) = state.withLock { state -> (S3Credentials?, Bool) in
          // Another call may have received new credentials meanwhile.
          if let known = state.current(at: date) { return (known, false) }
          state.waiting[id] = continuation
          defer { state.isAsking = true }
          return (nil, !state.isAsking)
        }
        if let known { return continuation.resume(returning: known) }
        if asks { Task { await ask() } }
        // If the task was cancelled before it began to wait, the cancellation handler has not found it.
        if Task.isCancelled { leave(id) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: Int) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
  }

  /// Asks the provider, for all that wait.
  private func ask() async {
    let answer: Result<S3Credentials, any Error>
    do { answer = .success(try await provider.credentials()) } catch let error as StorageError {
      answer = .failure(error)
    } catch {
      answer = .failure(
        StorageError.noCredentials("their provider threw an error of the type \(type(of: error))"))
    }
    let waiting = state.withLock { state in
      if case .success(let new) = answer { state.cached = new }
      state.isAsking = false
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for waiter in waiting { waiter.resume(with: answer) }
  }

  /// Discards credentials that the server has rejected, unless they have been replaced already.
  func forget(_ rejected: S3Credentials) {
    state.withLock { state in
      if state.cached?.accessKeyID == rejected.accessKeyID
        && state.cached?.sessionToken == rejected.sessionToken
      {
        state.cached = nil
      }
    }
  }
}
