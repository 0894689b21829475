extension StorageAware where Value == TypeWrapper {
  /// Returns the result of `body` for a cached object that is decoded as a type, even an expired one. The object is not
  /// copied, and its wrapper is not retained. `body` may run while a memory tier is locked: it must not use a store.
  @inlinable
  @inline(__always)
  package func _withCachedObject<Object: Sendable, R: Sendable>(
    forKey key: Key, as transformer: Transformer<Object>, _ body: (UnsafePointer<Object>, Expiry) -> R?
  ) -> R? {
    _withCachedObject(forKey: key) { wrapper, expiry in
      Unmanaged.passUnretained(wrapper.pointee)._withUnsafeGuaranteedRef {
        $0._withCachedObject(as: transformer) { body($0, expiry) }
      }
    }
  }
}
