/// A link that serves other links and is no part of the chain a user sees.
package protocol TransparentStorage: StorageDesign {
  /// The store it stands before.
  var visible: any StorageDesign { get }
}
