#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The credentials of a client, requested from their provider once and again before they expire.
actor CredentialsCache {
  private let provider: any S3CredentialsProvider
  /// The cached credentials. They are not isolated to the actor, so that requests read them without waiting for it.
  private nonisolated let cached = Locked<S3Credentials?>(nil)
  private var request: Task<S3Credentials, any Error>?

  init(_ provider: any S3CredentialsProvider) { self.provider = provider }

  /// Returns credentials that are valid for at least one more minute.
  nonisolated func current(at date: Date) async throws -> S3Credentials {
    if let cached = cached(at: date) { return cached }
    return try await requested(at: date)
  }

  private nonisolated func cached(at date: Date) -> S3Credentials? {
    guard let cached = cached.withLock({ $0 }) else { return nil }
    return cached.expiration.map { $0.timeIntervalSince(date) > 60 } ?? true ? cached : nil
  }

  private func requested(at date: Date) async throws -> S3Credentials {
    // Another call may have requested new credentials meanwhile.
    if let cached = cached(at: date) { return cached }
    if let request { return try await request.value }
    let provider = provider
    let request = Task { try await Self.ask(provider) }
    self.request = request
    defer { self.request = nil }
    let new = try await request.value
    cached.withLock { $0 = new }
    return new
  }

  /// Discards credentials that the server has rejected, unless they have been replaced already.
  func forget(_ rejected: S3Credentials) {
    cached.withLock { cached in
      if cached?.accessKeyID == rejected.accessKeyID && cached?.sessionToken == rejected.sessionToken {
        cached = nil
      }
    }
  }

  private static func ask(_ provider: any S3CredentialsProvider) async throws -> S3Credentials {
    do { return try await provider.credentials() } catch let error as StorageError { throw error } catch {
      throw StorageError.noCredentials("their provider threw an error of the type \(type(of: error))")
    }
  }
}
