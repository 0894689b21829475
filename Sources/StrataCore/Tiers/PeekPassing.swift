/// A store whose `peek` forwards to one of its inner stores.
package protocol PeekPassing {
  /// The inner store that `peek` asks, or `nil` if `peek` does more than forward, or asks several stores.
  var peeked: (any StorageDesign)? { get }
}

extension HybridStorage: PeekPassing {
  /// The front, or `nil` if its entries may become suspect.
  package var peeked: (any StorageDesign)? { tiers.doubt == nil ? front : nil }
}
