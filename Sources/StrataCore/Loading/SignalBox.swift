/// A value that one thread puts and another waits for.
package final class SignalBox<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)
  private let signal = ThreadSignal()

  package init() {}

  package func put(_ value: Value) {
    self.value.withLock { $0 = value }
    signal.wake()
  }

  package func take() -> Value {
    signal.wait()
    guard let value = value.withLock({ $0 }) else { preconditionFailure("woken without a value") }
    return value
  }
}
