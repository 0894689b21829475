/// A link that serves other links and is no part of the chain a user sees.
package protocol TransparentStorage: StorageDesign {
  /// The store it stands before.
  var visible: any StorageDesign { get }
}

/// A store as a user knows it: without the link that adapts it to the place it has in a chain.
func shown(_ storage: any StorageDesign) -> any StorageDesign {
  (storage as? any TransparentStorage)?.visible ?? storage
}
