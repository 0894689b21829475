/// Updates a value with a closure that runs between two turns: the first turn reads the value, and the second replaces
/// it if it has not changed. Otherwise the steps are repeated.
///
/// For closures that need the caller's actor. In a turn, a closure could wait for a thread that callers without `await`
/// hold while they wait for the turn.
///
/// - Parameters:
///   - replace: returns the stored value, or `nil` if the value has changed.
///   - blocking: updates the value in one turn, for which the thread waits. It is called if others change the value
///     again and again. The wait ends, since the operation that has the turn has a thread too.
package func updateBetweenTurns<Seen, Value>(
  read: () async throws -> (Seen, Value), _ modify: (inout Value) throws -> Void,
  replace: (Seen, Value) async throws -> Value?, blocking: () throws -> Value
) async throws -> Value {
  for _ in 0..<8 {
    var (seen, value) = try await read()
    try modify(&value)
    if let stored = try await replace(seen, value) { return stored }
  }
  return try blocking()
}
