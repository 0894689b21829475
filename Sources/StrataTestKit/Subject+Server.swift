#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store over a connection that can be lost, for the check of `lostWrites`.
///
/// ```swift
/// let lossy = LossyStore(try MyStore(path: "/behind/a/proxy")) { write in
///   // Let the proxy hold what it receives, call `write`, and end the connection for the store.
///   await write()
/// } deliver: {
///   // Let the proxy send what it holds, and wait until the server has closed the old connection.
/// }
/// ```
public struct LossyStore: Sendable {
  let store: any StorageAware<String, Data>
  let lose: @Sendable (_ write: @Sendable () async -> Void) async throws -> Void
  let deliver: @Sendable () async throws -> Void

  /// Describes the store.
  ///
  /// - Parameters:
  ///   - store: the store, with connections of its own.
  ///   - lose: calls `write`, holds its request on the way to the server, and ends the connection for the store.
  ///     Returns when `write` has returned. Later requests reach the server over new connections.
  ///   - deliver: lets the server receive the held request. Returns when the server has executed or discarded it.
  public init(
    _ store: any StorageAware<String, Data>,
    lose: @escaping @Sendable (_ write: @Sendable () async -> Void) async throws -> Void,
    deliver: @escaping @Sendable () async throws -> Void
  ) {
    (self.store, self.lose, self.deliver) = (store, lose, deliver)
  }
}

extension Subject {
  /// Returns the same subject, whose check of `lostWrites` opens the store by a function. Without it, that promise is
  /// not checked.
  ///
  /// - Parameter open: opens the store over a connection that can be lost; called several times for one location.
  public func losingWrites(_ open: @escaping @Sendable (Place) async throws -> LossyStore) -> Subject {
    var subject = self
    subject.openLossy = open
    return subject
  }

  /// Returns the same subject, whose check of `survivingKill` calls a function after each kill.
  ///
  /// - Parameter settle: waits until the server has executed or discarded the last requests of the killed process, for
  ///   example until the connections that exist have ended. A store in this process has none then.
  public func settling(_ settle: @escaping @Sendable () async throws -> Void) -> Subject {
    var subject = self
    subject.settle = settle
    return subject
  }
}
