// A cast to a protocol with a key and a value takes microseconds, also if it fails. The question whether the type
// conforms at all is answered in a fiftieth of that time, and is asked first.

extension StorageAware {
  /// This store's conditional writes, or `nil` if it has none. Callers with many operations look them up once.
  var asyncConditional: (any ConditionalStorage<Key, Value>)? {
    Self.self is any ConditionalStorage.Type ? self as? any ConditionalStorage<Key, Value> : nil
  }
}

extension SyncStorageAware {
  /// This store's conditional writes without `await`, or `nil` if it has none.
  var syncConditional: (any SyncConditionalStorage<Key, Value>)? {
    Self.self is any SyncConditionalStorage.Type ? self as? any SyncConditionalStorage<Key, Value> : nil
  }
}
