import StrataCore

/// A number that several tasks increase.
final class Count: Sendable {
  private let count = Locked(0)
  var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}
