extension ReadableStorage where Key == Void {
  /// Reads the one value of this store; throws `.notFound` where there is none.
  @inlinable
  public func retrieve() async throws -> Value { try await retrieve(forKey: ()) }
}

extension WritableStorage where Key == Void {
  /// Stores the one value of this store.
  @inlinable
  public func set(_ value: Value) async throws { try await set(value, forKey: ()) }
}
