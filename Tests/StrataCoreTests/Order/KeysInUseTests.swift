import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder

/// The keys as an object, since `#expect` takes no call of a mutating function.
private final class Keys {
  private var keys = KeysInUse<String>()
  private let runner = Runner(.current)
  var isEmpty: Bool { keys.isEmpty }

  // All keys have the same hash: keys must not be compared by their hashes only.
  func take(_ key: String) -> Bool { keys.take(key, hash: 7, by: runner) }
  func release(_ key: String) -> Bool { keys.release(key, hash: 7) }
  /// Returns whether the key had been taken by the fast path.
  func line(up key: String) -> Bool { keys.line(up: key, hash: 7)?.runner == runner }
  func endLine(_ key: String) { keys.endQueue(of: key, hash: 7) }
  func close() -> Set<String> { Set(keys.close()) }
}

@Suite("KeysInUse: the fast path of turns")
struct KeysInUseTests {
  @Test("a key can be taken once; other keys can be taken concurrently")
  func taking() {
    let keys = Keys()
    #expect(keys.take("a") && keys.take("b") && keys.take("c"))
    #expect(!keys.take("a") && !keys.take("b") && !keys.take("c"))
    #expect(keys.release("a"))
    #expect(!keys.take("b") && keys.take("a"))
    for key in ["b", "a", "c"] { #expect(keys.release(key)) }
    #expect(keys.isEmpty)
  }

  @Test("releasing a key with a queue reports that the next waiter must be woken", arguments: ["a", "b"])
  func lines(key: String) {
    let keys = Keys()
    #expect(keys.take("a") && keys.take("b"))
    #expect(keys.line(up: key), "it was taken")
    #expect(!keys.line(up: key), "it has a line already")
    #expect(!keys.release(key) && !keys.take(key))
    keys.endLine(key)
    #expect(keys.take(key))
    #expect(keys.release("a") && keys.release("b") && keys.isEmpty)
  }

  @Test("a key that is not taken can have a queue too")
  func freeLine() {
    let keys = Keys()
    #expect(!keys.line(up: "a"))
    #expect(!keys.take("a"))
    keys.endLine("a")
    #expect(keys.isEmpty)
  }

  @Test("no key can be taken while an operation on all keys waits")
  func closing() {
    let keys = Keys()
    #expect(keys.take("a") && keys.take("b"))
    #expect(keys.close() == ["a", "b"])
    #expect(!keys.take("c"))
    #expect(keys.release("a") && keys.release("b") && keys.isEmpty)
  }
}
