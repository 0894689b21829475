public import StrataCore

extension ReadableStorage where Key == Void {
  /// Returns the single value of this store. Throws `.notFound` if there is none.
  @inlinable
  public func retrieve() async throws -> Value { try await retrieve(forKey: ()) }
}

extension WritableStorage where Key == Void {
  /// Stores the single value of this store.
  @inlinable
  public func set(_ value: Value) async throws { try await set(value, forKey: ()) }
}
