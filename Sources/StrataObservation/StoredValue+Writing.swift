import StrataCore

extension StoredValue {
  /// Shows a value at once, and stores it afterwards, with the store's own expiry. An error becomes the phase.
  ///
  /// ```swift
  /// @MainActor func rename(_ name: StoredValue<String>) { name.set("Ada") }
  /// ```
  ///
  /// Writes of this object are made in the order of their calls. Of several `set` in one turn of the main actor, or
  /// during another write, the last one is stored.
  public func set(_ value: Value) { write(value) }

  /// Shows a value at once, and stores it. Returns when it, or a later value of this object, is stored; throws the
  /// error of the store, after what is stored is shown.
  public func set(_ value: Value) async throws {
    _ = try await withCheckedThrowingContinuation { write(value, $0) }
  }

  /// Removes the value. Shows that at once; an error becomes the phase.
  public func remove() { write(nil) }

  /// Removes the value. Returns when it is removed; throws the error of the store, after what is stored is shown.
  public func remove() async throws { _ = try await withCheckedThrowingContinuation { write(nil, $0) } }

  /// Reads, changes and stores the value by the store's own `update`, after the writes before it. Shows the new value
  /// when it is stored; an error becomes the phase, also `.notFound` if there is no value.
  ///
  /// ```swift
  /// @MainActor func count(_ visits: StoredValue<Int>) { visits.update { $0 += 1 } }
  /// ```
  ///
  /// If the store has no `update`, for example a loading store, the value is read and then written: changes by others
  /// in between are lost.
  public func update(_ modify: @escaping @Sendable (inout Value) throws -> Void) {
    writeFailure = nil
    writes.add(.update(modify))
  }

  /// Reads, changes and stores the value by the store's own `update`, after the writes before it. Returns the new value
  /// when it is stored and shown; throws the error of the store or of `modify`.
  @discardableResult
  public func update(_ modify: @escaping @Sendable (inout Value) throws -> Void) async throws -> Value {
    writeFailure = nil
    let value = try await withCheckedThrowingContinuation { writes.add(.update(modify), $0) }
    guard let value else { preconditionFailure("an update has a value") }
    return value
  }

  /// Changes the value or, if there is none, a default, which is then stored.
  func update(default fallback: Value, _ modify: @escaping @Sendable (inout Value) throws -> Void) {
    writeFailure = nil
    writes.add(.update(modify, default: fallback))
  }

  /// Shows and stores a value that was made of the shown one, or of a default.
  ///
  /// If no value has been read yet, the write waits for what is stored, and the phase is `.loading`. It fails with
  /// `.notYetRead` if that is another value than the default.
  func change(from fallback: Value, to value: Value) {
    if isKnown { return write(value) }
    lastWrite = signal.outdateReads()
    writeFailure = nil
    writes.add(.establish(value, default: fallback))
    show(value, .loading)
  }

  /// Shows a value, and adds its write to the queue.
  @usableFromInline
  func write(_ value: Value?) { write(value, nil) }

  private func write(_ value: Value?, _ waiter: WriteQueue<Value>.Waiter?) {
    lastWrite = signal.outdateReads()
    writeFailure = nil
    isKnown = true
    // The queue first: an observer may call `set` from inside the change.
    writes.add(.store(value), waiter)
    show(value, .loaded)
  }

  /// Shows the end of a write. While others are pending, the value that is shown belongs to the last one.
  func end(_ end: WriteQueue<Value>.End) {
    lastWrite = signal.outdateReads()
    switch end {
    case .made(let value):
      (confirmed, writeFailure, isKnown) = (value, nil, true)
      if writes.count == 0 { show(value, .loaded) }
    case .failed(let error, let look):
      writeFailure = error
      if writes.count == 0 { show(look) }
    }
    signal.send()
  }
}
