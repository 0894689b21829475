import Synchronization

/// The exclusive right to load a key, among all processes that share a store.
///
/// A store grants leases through its `leases`. A lease ends when it is released, when it is not extended in time, or
/// with its process. Writes under a lease that has ended are refused: a process that was stopped for too long cannot
/// overwrite newer values.
///
/// ```swift
/// guard let leases = redis.leases, let lease = try await leases.acquire("rates", for: .seconds(10)) else { return }
/// let rates = try await bank.rates()
/// try await lease.whileHeld { try await redis.setObject(rates, forKey: "rates") }
/// try await leases.release(lease, of: "rates")
/// ```
public struct StorageLease: Sendable {
  /// The unique identifier of the lease.
  public let token: UInt64
  /// The object that granted the lease.
  private let issuer: any AnyObject & Sendable
  private let isHeld: (@Sendable () throws -> Bool)?

  /// Creates a lease, for the store that grants it.
  ///
  /// - Parameters:
  ///   - token: the unique identifier of the lease; random by default.
  ///   - issuer: the object that grants it; see `isIssued(by:)`.
  ///   - isHeld: returns whether the lease is still held, for stores that can find out during a write.
  public init(
    token: UInt64 = .random(in: 1 ... .max), issuer: any AnyObject & Sendable,
    isHeld: (@Sendable () throws -> Bool)? = nil
  ) {
    Self.anyMade.store(true, ordering: .relaxed)
    self.token = token
    self.issuer = issuer
    self.isHeld = isHeld
  }

  /// Returns whether an object has granted the lease.
  public func isIssued(by issuer: AnyObject) -> Bool { self.issuer === issuer }

  /// Throws `.leaseLost` if the lease is known to have ended. A store calls this while it excludes writes of other
  /// processes, so that the next owner of the lease writes later.
  public func check() throws {
    if let isHeld, try !isHeld() { throw StorageError.leaseLost }
  }

  // MARK: Writing under a lease

  /// The lease under which this task writes. Stores read it to check their writes.
  @TaskLocal public static var current: StorageLease?

  /// Whether this process has ever made a lease.
  private static let anyMade = Atomic(false)

  /// Returns the lease under which this task writes, if this object has granted it.
  package static func current(issuedBy issuer: AnyObject) -> StorageLease? {
    inForce.flatMap { $0.isIssued(by: issuer) ? $0 : nil }
  }

  /// The value of `current`. Does not look up the task-local value before the first lease: it would slow down short
  /// writes.
  package static var inForce: StorageLease? { anyMade.load(ordering: .relaxed) ? current : nil }

  /// Runs `body`. Its writes throw `StorageError.leaseLost` once the lease has ended.
  ///
  /// ```swift
  /// try await lease.whileHeld { try await storage.setObject(ada, forKey: "ada") }
  /// ```
  public func whileHeld<R>(_ body: () async throws -> R) async rethrows -> R {
    try await Self.$current.binding(self, body)
  }

  /// Runs `body` under a lease that was current on another thread.
  package static func within<R>(_ lease: StorageLease?, _ body: () throws -> R) rethrows -> R {
    guard let lease else { return try body() }
    return try $current.withValue(lease, operation: body)
  }

  /// Runs `body` under no lease.
  package static func apart<R>(_ body: () -> R) -> R {
    inForce == nil ? body() : $current.withValue(nil, operation: body)
  }
}

extension StorageError {
  /// The lease under which a write was made had ended. Nothing was stored.
  public static let leaseLost = StorageError(
    .init("leaseLost"),
    "the lease had ended before the write, and another owner may hold it: acquire it again before writing")
}
