import Dispatch
import Foundation
import StrataSupport
import Testing

@Suite struct SharedObjectTests {
  private final class Value: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test("every thread finds the object that was set last, until it is removed")
  func lookup() {
    let shared = SharedObject<Value>()
    let (first, second) = (Value(1), Value(2))
    #expect(numbers(shared) == [nil])
    #expect(shared.set(first).object === first)
    #expect(numbers(shared) == [1])
    _ = shared.set(second)
    shared.remove(first)
    #expect(numbers(shared) == [2])
    shared.remove(second)
    #expect(numbers(shared) == [nil])
  }

  @Test("an object that was replaced is released once no thread uses it")
  func release() {
    let shared = SharedObject<Value>()
    weak var first: Value?
    do {
      let value = Value(1)
      first = value
      _ = shared.set(value)
    }
    do {
      let holder = shared.holder
      _ = shared.set(Value(2))
      #expect(holder?.object === first && first != nil)
    }
    #expect(first == nil)
  }

  /// What 64 threads find, each with a stack of its own.
  private func numbers(_ shared: SharedObject<Value>) -> Set<Int?> {
    let found = Locked<Set<Int?>>([])
    let start = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    for _ in 0..<64 {
      Thread.detachNewThread {
        start.wait()
        let number = shared.holder?.object.number
        found.withLock { _ = $0.insert(number) }
        end.signal()
      }
    }
    for _ in 0..<64 { start.signal() }
    for _ in 0..<64 { end.wait() }
    return found.withLock { $0 }
  }
}
