/// A store whose `peek` forwards to one of its inner stores.
package protocol PeekPassing {
  /// The inner store that `peek` asks, or `nil` if `peek` does more than forward, or asks several stores.
  var peeked: (any StorageDesign)? { get }
  /// The flag that tells whether an entry of `peeked` may be suspect, or `nil` if none ever is. While it is set, only
  /// `peek` knows which entries may be served. This store keeps it alive.
  var suspectFlag: Unmanaged<SuspectFlag>? { get }
}

extension HybridStorage: PeekPassing {
  /// The front.
  package var peeked: (any StorageDesign)? { front }
  /// The flag of a front that is kept coherent with the back.
  package var suspectFlag: Unmanaged<SuspectFlag>? { tiers.suspectFlag }
}
