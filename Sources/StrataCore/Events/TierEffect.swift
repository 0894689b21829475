/// What an operation has done to a tier.
@usableFromInline
package enum TierEffect: UInt8, Sendable {
  case nothing
  case hit
  case miss
  case write
  case promotion
  case removal
  case eviction
  case expiry

  @inlinable
  init(_ change: StoreChangeKind) {
    switch change {
    case .set, .replace, .setIfAbsent: self = .write
    case .remove, .forget: self = .removal
    case .touch: self = .nothing
    }
  }

  @inlinable
  init(_ batch: StoreBatch<some Any, some Any>) {
    if case .remove = batch { self = .removal } else { self = .write }
  }

  /// The kind of the event. Nothing is never reported.
  @inlinable
  var kind: StorageEventKind {
    switch self {
    case .hit: .hit
    case .miss: .miss
    case .write, .nothing: .write
    case .promotion: .promotion
    case .removal: .removal
    case .eviction: .eviction
    case .expiry: .expiry
    }
  }

  /// The name of the change for a tracer.
  @inlinable
  var operation: String {
    switch self {
    case .write, .promotion: "set"
    case .removal: "remove"
    default: "touch"
    }
  }
}
