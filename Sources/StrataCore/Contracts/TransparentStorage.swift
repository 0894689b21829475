/// An internal adapter that is not shown to users as a part of the chain.
package protocol TransparentStorage: StorageDesign {
  /// The store that this adapter wraps.
  var visible: any StorageDesign { get }
}

/// Returns the store that is shown to users, without the internal adapter around it.
func shown(_ storage: any StorageDesign) -> any StorageDesign {
  (storage as? any TransparentStorage)?.visible ?? storage
}
