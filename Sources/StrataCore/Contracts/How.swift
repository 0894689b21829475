/// How a store does an operation: at once, quietly, in turn, or for the expiry only.
///
/// ```swift
/// // Without waiting for a disk, a server or another operation on the key:
/// let entry = try cache.read("ada", .atOnce)
/// ```
public struct How: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates options from bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Without waiting for I/O, or for a lock whose holder may wait for I/O. An operation that would have to wait throws
  /// `WouldWait` and changes nothing.
  @inlinable public static var atOnce: How { How(rawValue: 1) }
  /// Without a trace: a read returns what is in memory. It waits for nothing, decodes nothing, copies nothing between
  /// tiers and does not count as a use. `nil` does not mean that nothing is stored.
  @inlinable public static var quietly: How { How(rawValue: 2) }
  /// Only the expiry is wanted: a read need not decode the value, and may return an entry without it.
  @inlinable public static var expiryOnly: How { How(rawValue: 4) }
  /// The caller has the turn of each key: a store that orders operations on a key does not order this one.
  @inlinable public static var inTurn: How { How(rawValue: 8) }
  /// The bytes of the staged value are read while they are staged, by readers that share a download. A store that
  /// cannot read them keeps a copy.
  package static var rereading: How { How(rawValue: 16) }
  /// From the authoritative tier: a read does not return what only a tier in front has, and each tier in front gets
  /// what the tier behind it has. Stores of one tier are authoritative.
  @inlinable package static var authoritative: How { How(rawValue: 32) }
  /// What a tier must know that stages a value for a link above it.
  package var staging: How { intersection(.rereading) }
}
