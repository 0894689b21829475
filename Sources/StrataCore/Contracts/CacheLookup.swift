/// The result of looking up a key without waiting.
///
/// ```swift
/// switch disk.cachedExpiry(forKey: "ada") {
/// case .found(let expiry): print("expires \(expiry)")
/// case .absent: print("nothing is stored")
/// case .unknown: print("ask `expiryIfPresent(forKey:)`, which may wait for the disk")
/// }
/// ```
public enum CacheLookup<Found> {
  /// The stored entry, which may have expired, or a part of it.
  case found(Found)
  /// Nothing is stored.
  case absent
  /// The lookup would have to wait, or failed in a way that only a read can report. Read to find out.
  case unknown
}

extension CacheLookup: Sendable where Found: Sendable {}
extension CacheLookup: Equatable where Found: Equatable {}

extension CacheLookup {
  /// Creates the result of `look`. If `look` throws, the result is `.unknown`: the read that follows throws the same
  /// error.
  @inlinable
  package init(_ look: () throws -> Found?) {
    do {
      self = try look().map(CacheLookup.found) ?? .absent
    } catch {
      self = .unknown
    }
  }

  /// Returns the found value, or `nil` if nothing is stored. Throws `WouldWait` if the result is unknown.
  @inlinable
  package func get() throws(WouldWait) -> Found? {
    switch self {
    case .found(let found): found
    case .absent: nil
    case .unknown: throw WouldWait()
    }
  }

  /// Returns the same result with the found value transformed.
  @inlinable
  public func map<U, E: Error>(_ transform: (Found) throws(E) -> U) throws(E) -> CacheLookup<U> {
    switch self {
    case .found(let found): .found(try transform(found))
    case .absent: .absent
    case .unknown: .unknown
    }
  }
}
