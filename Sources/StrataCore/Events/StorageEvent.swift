/// An event of a store: what one tier of a chain, or its loader, has done.
///
/// ```swift
/// for await event in users.events {
///   if event.kind.name == "miss", let time = event.duration { print("\(event.tier): a miss in \(time)") }
/// }
/// ```
///
/// An event never contains a value.
public struct StorageEvent<Key: Sendable>: Sendable {
  /// The kinds of events.
  public typealias Kind = StorageEventKind

  /// The kind of the event.
  public var kind: Kind { other?.kind ?? effect.kind }
  /// The name of the tier: "memory", "disk", "redis", or "loading" for an event of the loader. It contains no key.
  public let tier: String
  /// The key; `nil` if the event concerns no single key. It may be confidential, and is unsuitable as a label of a
  /// metric.
  public let key: Key?
  /// The number of keys that the event concerns.
  public let count: Int
  /// The duration of the operation; `nil` for operations in memory, which are too short to be timed, and for events
  /// that last no time.
  public var duration: Duration? { measured ?? kind.duration }

  /// How long the operation took, if it was measured.
  @usableFromInline let measured: Duration?
  /// What the operation has done to the tier. With the kind itself, which may hold an error, an event would take twice
  /// as long to copy.
  @usableFromInline let effect: TierEffect
  /// The kind, unless it is that of the effect.
  @usableFromInline let other: OtherKind?

  @inlinable
  init(
    _ effect: TierEffect, _ other: OtherKind?, _ tier: String, _ key: Key?, _ count: Int,
    _ measured: Duration?
  ) {
    self.effect = effect
    self.other = other
    self.tier = tier
    self.key = key
    self.count = count
    self.measured = measured
  }

  /// Returns the event for listeners that know other keys.
  func withKey<Other>(as type: Other.Type) -> StorageEvent<Other> {
    StorageEvent<Other>(effect, other, tier, key as? Other, count, measured)
  }
}

/// An event as one line of text.
extension StorageEvent: CustomStringConvertible {
  /// The tier, the key and the kind: "loading ada: failed after 200.0 ms: Down()". It contains the key and the text of
  /// an error, which may be confidential.
  public var description: String {
    let place = key.map { "\(tier) \($0)" } ?? (count == 1 ? tier : "\(tier), \(count) keys")
    guard kind.duration == nil, let duration else { return "\(place): \(kind)" }
    return "\(place): \(kind), \(duration.text)"
  }
}

extension StorageEvent {
  /// The error of a failure.
  public var error: (any Error)? { kind.error }
}

/// A kind of event that is no `TierEffect`.
@usableFromInline
final class OtherKind: Sendable {
  let kind: StorageEventKind

  init(_ kind: StorageEventKind) { self.kind = kind }
}
