/// What a store can say of a key without waiting.
public enum AtHand<Found> {
  /// This is stored. It may have expired.
  case found(Found)
  /// Nothing is stored.
  case absent
  /// To find out, the store would have to wait, or it met something that only a read can judge: read.
  case unknown
}

extension AtHand: Sendable where Found: Sendable {}
extension AtHand: Equatable where Found: Equatable {}

extension AtHand {
  /// What `look` finds. If it throws, nothing is known: the read that follows meets the same failure, and throws it.
  @inlinable
  package init(_ look: () throws -> Found?) {
    do {
      self = try look().map(AtHand.found) ?? .absent
    } catch {
      self = .unknown
    }
  }

  /// What was found, `nil` if nothing is stored; throws `WouldWait` if that is unknown.
  @inlinable
  package func get() throws(WouldWait) -> Found? {
    switch self {
    case .found(let found): found
    case .absent: nil
    case .unknown: throw WouldWait()
    }
  }

  /// The same of what is made of it.
  @inlinable
  public func map<U, E: Error>(_ transform: (Found) throws(E) -> U) throws(E) -> AtHand<U> {
    switch self {
    case .found(let found): .found(try transform(found))
    case .absent: .absent
    case .unknown: .unknown
    }
  }
}

/// Thrown by a look that must not wait, and would have to.
@usableFromInline
package struct WouldWait: Error {
  @inlinable
  package init() {}
}
