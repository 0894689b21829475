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
  @inlinable
  public var kind: Kind {
    switch cause {
    case .effect(let effect): effect.kind
    case .other(let other): other.kind
    }
  }
  /// The name of the tier: "memory", "disk", "redis", or "loading" for an event of the loader. It contains no key.
  public let tier: String
  /// The key; `nil` if the event concerns no single key. It may be confidential, and is unsuitable as a label of a
  /// metric.
  public let key: Key?
  /// The number of keys that the event concerns.
  public let count: Int
  /// The duration of the operation; `nil` for operations in memory, which are too short to be timed, and for events
  /// that last no time.
  public var duration: Duration? {
    if case .other(let other) = cause { other.duration ?? other.kind.duration } else { nil }
  }

  /// What the event reports. An event of more than six words, as one with a duration and a kind would be, is destroyed
  /// by functions of the runtime, which take as long as the rest of a call of a listener.
  @usableFromInline let cause: EventCause

  @inlinable
  init(_ cause: EventCause, _ tier: String, _ key: Key?, _ count: Int) {
    self.cause = cause
    self.tier = tier
    self.key = key
    self.count = count
  }

  /// Returns the event for listeners that know other keys.
  func withKey<Other>(as type: Other.Type) -> StorageEvent<Other> {
    StorageEvent<Other>(cause, tier, key as? Other, count)
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

/// What an event reports.
@usableFromInline
enum EventCause: Sendable {
  case effect(TierEffect)
  /// An operation that was timed, or a kind that is no effect.
  case other(Other)

  @usableFromInline
  final class Other: Sendable {
    @usableFromInline let kind: StorageEventKind
    let duration: Duration?

    init(_ kind: StorageEventKind, _ duration: Duration?) {
      self.kind = kind
      self.duration = duration
    }
  }

  @inlinable
  init(_ effect: TierEffect, _ duration: Duration?) {
    self = if let duration { .timed(effect, duration) } else { .effect(effect) }
  }

  @usableFromInline
  static func timed(_ effect: TierEffect, _ duration: Duration) -> EventCause {
    .other(Other(effect.kind, duration))
  }
}
