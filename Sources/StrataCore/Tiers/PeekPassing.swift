/// A store whose `peek` is that of a store in it.
package protocol PeekPassing {
  /// The store that is asked; `nil` if more than that is asked, or another by turns.
  var peeked: (any StorageDesign)? { get }
}

extension HybridStorage: PeekPassing {
  /// The front, unless what it holds may be in doubt.
  package var peeked: (any StorageDesign)? { tiers.doubt == nil ? front : nil }
}
