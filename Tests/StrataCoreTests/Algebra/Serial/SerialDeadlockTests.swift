import Dispatch
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

@Suite(.timeLimit(.minutes(10)))
struct SerialDeadlockTests {
  private let base = DictionaryStorage(["a": 1, "b": 2])

  @Test(
    "a call from inside the store's own update throws, and the store remains usable", arguments: ["a", "b"])
  func sync(key: String) throws {
    let serial = base.serial()
    let calls: [() throws -> Void] = [
      { _ = try serial.object(forKey: key) }, { try serial.setObject(0, forKey: key) },
      { try serial.removeAll() }, { _ = try serial.update(forKey: key) { $0 = 0 } },
      { _ = try serial.keys() },
    ]
    for call in calls {
      try serial.update(forKey: "a") { value in
        #expect(throws: StorageError.deadlock) { try call() }
        value += 1
      }
    }
    #expect(try serial.object(forKey: "a") == 6 && serial.object(forKey: "b") == 2)
  }

  @Test("a synchronous call from inside a task's update throws too")
  func syncInsideAsync() async throws {
    let serial = base.serial()
    try await serial.update(forKey: "a") { value in
      #expect(throws: StorageError.deadlock) { try serial.setObject(0, forKey: "b") }
      value = 5
    }
    try await serial.update(forKey: "a") { value in
      await Task.yield()
      #expect(throws: StorageError.deadlock) { try blocking { try serial.setObject(0, forKey: "b") } }
      value += 1
    }
    #expect(base.objects == ["a": 6, "b": 2])
  }

  @Test(
    "so does a call from inside an update that suspends, by its task, its children and tasks that it starts")
  func async() async throws {
    let serial = base.serial()
    let plain = PlainStore(base).serial()
    try await serial.update(forKey: "a") { value in
      await #expect(throws: StorageError.deadlock) { try await serial.setObject(0, forKey: "b") }
      async let child = serial.object(forKey: "b")
      do {
        _ = try await child
        Issue.record("it would have to wait for its own end")
      } catch {
        #expect(error as? StorageError == .deadlock)
      }
      await #expect(throws: StorageError.deadlock) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await serial.update(forKey: "b") { $0 = 0 } }
          try await group.waitForAll()
        }
      }
      await #expect(throws: StorageError.deadlock) { try await Task { try await serial.keys() }.value }
      value = 5
    }
    try await plain.update(forKey: "a") { value in
      await #expect(throws: StorageError.deadlock) { try await plain.set(0, forKey: "b") }
      // Nesting another queue in between makes no difference.
      try await serial.update(forKey: "b") { _ in
        await #expect(throws: StorageError.deadlock) { try await plain.retrieve(forKey: "a") }
      }
      value += 1
    }
    #expect(base.objects == ["a": 6, "b": 2])
  }

  @Test("a task started inside an update may call after the update has ended")
  func outliving() async throws {
    let serial = base.serial()
    let gate = Gate(holding: 1)
    let started = Shared<Task<Void, any Error>?>(nil)
    try await serial.update(forKey: "a") { value in
      await Task.yield()
      started.change {
        $0 = Task {
          await gate.pass()
          try await serial.setObject(7, forKey: "b")
        }
      }
      value = 5
    }
    await gate.arrivals(1)
    // Another caller has the turn at this time, so the call waits, which is allowed.
    let turn = serial.line.order.line(up: .key(.init()))
    #expect(serial.line.order.hasCome(turn))
    gate.open()
    await until { serial.line.order.isAwaited }
    serial.line.order.leave(turn)
    try await started.value?.value
    #expect(base.objects == ["a": 5, "b": 7])
  }

  @Test("a detached task may call while the update runs: it waits for its end")
  func detached() async throws {
    let serial = base.serial()
    let started = Shared<Task<Void, any Error>?>(nil)
    try await serial.update(forKey: "a") { value in
      started.change { $0 = Task.detached { try await serial.update(forKey: "a") { $0 += 1 } } }
      await until { serial.line.order.isAwaited }
      value = 5
    }
    try await started.value?.value
    #expect(base.objects["a"] == 6)
  }

  @Test("of two threads whose updates call each other's stores, one gets an error and neither hangs")
  func circle() throws {
    let (one, other) = (base.serial(), DictionaryStorage(["a": 1]).serial())
    let (oneIsIn, otherIsIn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let refused = Shared(0)
    @Sendable func run(
      _ mine: SerialStorage<DictionaryStorage<String, Int>>,
      _ theirs: SerialStorage<DictionaryStorage<String, Int>>, _ entered: DispatchSemaphore,
      _ awaited: DispatchSemaphore
    ) {
      do {
        try mine.update(forKey: "a") { _ in
          entered.signal()
          awaited.wait()
          try theirs.setObject(0, forKey: "a")
        }
      } catch {
        #expect(error as? StorageError == .deadlock)
        refused.change { $0 += 1 }
      }
    }
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "other").async {
      run(other, one, otherIsIn, oneIsIn)
      done.signal()
    }
    run(one, other, oneIsIn, otherIsIn)
    done.wait()
    // Both are refused if both detect the cycle at the same time.
    #expect((1...2).contains(refused.value))
  }
}
