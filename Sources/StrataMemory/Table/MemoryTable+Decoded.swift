public import StrataDelegate

extension MemoryTable {
  /// Replaces the bytes of an entry by the object that a reader has decoded from them. Later reads are as fast as reads
  /// of an object that was stored.
  ///
  /// The entry keeps its cost, since the object's wrapper retains the bytes. Releasing the old wrapper runs no user
  /// code: the new wrapper retains everything that the old one did. Compiles to nothing for values of other types.
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
