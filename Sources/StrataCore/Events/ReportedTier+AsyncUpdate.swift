extension ReportedTier: UpdateableStorage where Base: UpdateableStorage {
  /// Updates a value as the base does. Reports a read and a write; an update that the caller's closure ends by an error
  /// is a read.
  @usableFromInline  // sync: @inlinable
  package func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    guard let reporter = active else { return try await base.update(forKey: key, modify) }
    let start = reporter.begin()
    var isRefused = false
    do {
      // sync: let stored = try base.update(forKey: key) { value in
      let stored = try await updatingTraced(key) { value in
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
