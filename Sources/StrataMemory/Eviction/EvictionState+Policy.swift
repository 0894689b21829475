// The 24 bits that belong to the policy: 16 of history, 2 that name the queue, and one for "used since it was queued".
extension EvictionState {
  @usableFromInline
  enum Place: UInt32, Sendable {
    case nowhere, window, main
  }

  @inlinable
  static var policyBits: UInt32 { 0xff_ffff }

  @inlinable
  var history: UseHistory {
    get { UseHistory(bits: UInt16(truncatingIfNeeded: bits)) }
    set { bits = bits & ~0xffff | UInt32(newValue.bits) }
  }

  @inlinable
  var isInMain: Bool { bits &>> 16 & 3 == 2 }

  /// The queue that the node is in. Setting it begins a new round: the node counts as unused.
  @inlinable
  var place: Place {
    get { Place(rawValue: bits &>> 16 & 3) ?? .nowhere }
    set { bits = bits & ~(7 &<< 16) | newValue.rawValue &<< 16 }
  }

  /// Whether the entry was used since it was put in its queue.
  @inlinable
  var isUsed: Bool {
    get { bits & 1 &<< 18 != 0 }
    set { bits = newValue ? bits | 1 &<< 18 : bits & ~(1 &<< 18) }
  }
}
