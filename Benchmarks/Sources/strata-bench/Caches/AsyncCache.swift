import Dispatch
import Synchronization

/// The operations of asynchronous contenders.
protocol AsyncCache<Key, Value>: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype Value: Weighable

  func value(forKey key: Key) async throws -> Value?
  func store(_ value: Value, forKey key: Key) async throws
}

extension AsyncCache {
  /// Reads all keys in one task, and blocks this thread until it ends.
  func read(_ keys: [Key]) throws -> Int { try waiting { try await readAll(keys) } }

  /// Stores a value under all keys in one task, and blocks this thread until it ends.
  func write(_ value: Value, forKeys keys: [Key]) throws -> Int {
    try waiting { try await writeAll(value, keys) }
  }

  @inline(never)
  private func readAll(_ keys: [Key]) async throws -> Int {
    var sum = 0
    for key in keys { if let value = try await value(forKey: key) { sum &+= value.weight } }
    return sum
  }

  @inline(never)
  private func writeAll(_ value: Value, _ keys: [Key]) async throws -> Int {
    for key in keys { try await store(value, forKey: key) }
    return keys.count
  }
}

/// Runs a task and blocks until it ends; only for threads outside the cooperative pool.
func waiting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
  let result = Mutex<Result<R, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let value = try await body()
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
    done.signal()
  }
  done.wait()
  guard let result = result.withLock({ $0 }) else { preconditionFailure("the task has ended") }
  return try result.get()
}
