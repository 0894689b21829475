/// Makes wrappers of objects for one transformer, which must outlive it.
///
/// It does not retain the transformer, as a copy would. All threads that write would contend for that reference count.
@usableFromInline
package struct WrapperMaker<Value: Sendable>: Sendable {
  @usableFromInline let coding: Unmanaged<Coding<Value>>

  package init(_ transformer: Transformer<Value>) { coding = .passUnretained(transformer.coding) }

  /// Returns a wrapper of an object.
  @inlinable
  package func wrapper(_ object: Value) -> TypeWrapper { LiveTypeWrapper(object, coding, read: nil) }
}
