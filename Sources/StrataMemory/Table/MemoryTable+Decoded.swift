public import StrataCore

extension MemoryTable {
  /// Puts an object that a reader has decoded in the place of its bytes: from then on the entry is found as fast as an
  /// object that was stored.
  ///
  /// The entry keeps its cost, that of the bytes, which the object's wrapper keeps. Releasing the old wrapper runs no
  /// code of a user, since the new one has all that it held. Compiles to nothing for values of other types.
  @inlinable
  @inline(__always)
  func useDecoded(_ node: UnsafeMutablePointer<Node>) {
    guard Value.self == TypeWrapper.self else { return }
    withUnsafeMutablePointer(to: &node.pointee.value) { value in
      let wrapper = UnsafeMutableRawPointer(value).assumingMemoryBound(to: TypeWrapper.self)
      let hasNone = Unmanaged.passUnretained(wrapper.pointee)._withUnsafeGuaranteedRef(\.holdsNoObject)
      if hasNone { TypeWrapper.useDecoded(wrapper) }
    }
  }
}
