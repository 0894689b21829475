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
  /// Who granted it.
  private let issuer: any AnyObject & Sendable
  private let isHeld: (@Sendable () throws -> Bool)?

  /// Makes a lease, for a store that grants it.
  ///
  /// - Parameters:
  ///   - token: the unique identifier of the lease; random by default.
  ///   - issuer: what grants it: see `isIssued(by:)`.
  ///   - isHeld: whether it is still held, for stores that can find that out in the middle of a write.
  public init(
    token: UInt64 = .random(in: 1 ... .max), issuer: any AnyObject & Sendable,
    isHeld: (@Sendable () throws -> Bool)? = nil
  ) {
    self.token = token
    self.issuer = issuer
    self.isHeld = isHeld
  }

  /// Whether an object has granted it.
  public func isIssued(by issuer: AnyObject) -> Bool { self.issuer === issuer }

  /// Throws `.leaseLost` if it is known that the lease is not held any more. A store calls this where no other process
  /// can write before it has: after that check whoever takes the lease over writes later.
  public func check() throws {
    if let isHeld, try !isHeld() { throw StorageError.leaseLost }
  }

  // MARK: Writing under a lease

  /// The lease under which this code writes: stores look at it.
  @TaskLocal public static var current: StorageLease?

  /// Runs writes that are refused, by `StorageError.leaseLost`, if the lease is not held any more.
  ///
  /// ```swift
  /// try await lease.whileHeld { try await storage.setObject(ada, forKey: "ada") }
  /// ```
  public func whileHeld<R>(_ body: () async throws -> R) async rethrows -> R {
    try await Self.$current.withValue(self, operation: body)
  }

  /// Runs code that was handed over to another thread as it would have run here.
  package static func within<R>(_ lease: StorageLease?, _ body: () throws -> R) rethrows -> R {
    guard let lease else { return try body() }
    return try $current.withValue(lease, operation: body)
  }
}

extension StorageError {
  /// A write came after the lease under which it was made had ended. Nothing was stored.
  public static let leaseLost = StorageError(
    .init("leaseLost"), "the lease had ended before the write: another may have taken it over")
}
