import Strata
import TestSupport
import Testing

/// A user's task-local values, such as a trace's context, reach the closures that a store calls.
@Suite("Task-local values", .timeLimit(.minutes(5)))
struct TaskLocalTests {
  @TaskLocal static var caller = "nobody"

  @Test(
    "an update's closure has its caller's values, with and without await",
    arguments: [ChainKind.disk, .memoryOnly])
  func update(_ kind: ChainKind) async throws {
    let storage = try Chains(kind).open(String.self)
    try await storage.setObject("", forKey: "a")
    let add: @Sendable (inout String) -> Void = { $0 += Self.caller }
    try await Self.$caller.withValue("1") {
      try await storage.async.update(forKey: "a", add)
      _ = try Self.$caller.withValue("2") { try blocking { try storage.update(forKey: "a", add) } }
      let unsendable: (inout String) -> Void = { $0 += Self.caller }
      try await storage.async.update(forKey: "a", unsendable)
    }
    #expect(try await storage.object(forKey: "a") == "121")
  }

  @Test("so has one that waits for its turn, while another caller's update runs")
  func waiting() async throws {
    let storage = try Chains(.disk).open(String.self)
    try await storage.setObject("", forKey: "a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          try await Self.$caller.withValue("\(number)") {
            _ = try await storage.async.update(forKey: "a") { $0 += Self.caller }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await storage.object(forKey: "a").sorted() == Array("0123456789"))
  }

  private final class Token: Sendable {}

  @Test("an update that is cancelled before its turn does not call its closure, and is released")
  func cancelled() async throws {
    let storage = try Chains(.disk).open(String.self)
    try await storage.setObject("", forKey: "a")
    let gate = ThreadGate()
    let first = Task {
      try await storage.async.update(forKey: "a") { value in
        gate.pass()
        value += "1"
      }
    }
    await gate.arrival()
    weak var released: Token?
    do {
      let token = Token()
      released = token
      let second = Task {
        try await storage.async.update(forKey: "a") { value in withExtendedLifetime(token) { value += "2" } }
      }
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
    }
    gate.open()
    _ = try await first.value
    #expect(try await storage.object(forKey: "a") == "1")
    await until { released == nil }
  }

  @Test("a closure that loads an absent value has its caller's values")
  func load() async throws {
    let storage = try Chains(.disk).open(String.self)
    let loaded = try await Self.$caller.withValue("1") {
      try await storage.async.object(forKey: "a") { Self.caller }
    }
    #expect(loaded == "1")
  }
}
