import Foundation

/// A value that threads can change, and whose changes threads can wait for.
///
/// Unchecked: `value` is accessed only with the lock of `condition`.
package final class Changes<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func read<R>(_ body: (Value) -> R) -> R {
    condition.lock()
    defer { condition.unlock() }
    return body(value)
  }

  @discardableResult
  package func change<R>(_ body: (inout Value) -> R) -> R {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return body(&value)
  }

  /// Blocks the thread until `body` returns a result.
  package func wait<R>(_ body: (Value) -> R?) -> R {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let answer = body(value) { return answer }
      condition.wait()
    }
  }
}
