// Generated from ReportedTier+AsyncUpdate.swift by `make twins`.
extension ReportedTier: SyncUpdateableStorage where Base: SyncUpdateableStorage {
  /// Updates a value as the base does. Reports a read and a write; an update that the caller's closure ends by an error
  /// is a read.
  @inlinable
  package func update(forKey key: Key, _ modify: (inout Value) throws -> Void) throws -> Value {
    guard let reporter = active else { return try base.update(forKey: key, modify) }
    let start = reporter.begin()
    var isRefused = false
    do {
      let stored = try base.update(forKey: key) { value in
        isRefused = true
        try modify(&value)
        isRefused = false
      }
      reporter.didRead(key, isHit: true, .off)
      reporter.didChange(key, .write, start)
      return stored
    } catch {
      noteFailedUpdate(of: key, isRefused: isRefused, error, start, reporter)
      throw error
    }
  }
}
