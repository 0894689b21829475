import StrataCore

/// A value that several threads and tasks of a test share.
package final class Shared<Value: Sendable>: Sendable {
  private let locked: Locked<Value>
  package init(_ value: Value) { locked = Locked(value) }
  package var value: Value { locked.withLock { $0 } }
  package func change<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
    try locked.withLock { try body(&$0) }
  }
}
