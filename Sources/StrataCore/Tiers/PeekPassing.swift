/// A store whose `peek` forwards to one of its inner stores.
package protocol PeekPassing {
  /// The inner store that `peek` reads, or `nil` if `peek` does more than forward, or reads several stores.
  var peeked: (any StorageDesign)? { get }
  /// The flag that is set while an entry of `peeked` may be suspect, or `nil` if none ever is. While it is set, entries
  /// may only be served through `peek`. This store keeps it alive.
  var suspectFlag: Unmanaged<SuspectFlag>? { get }
}

extension HybridStorage: PeekPassing {
  /// The front.
  package var peeked: (any StorageDesign)? { front }
  /// The flag of a front that is kept coherent with the back.
  package var suspectFlag: Unmanaged<SuspectFlag>? { tiers.suspectFlag }
}
