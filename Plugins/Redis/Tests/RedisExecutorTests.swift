import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Tasks on the thread that communicates with the servers.
@Suite(.timeLimit(.minutes(10))) struct RedisExecutorTests {
  private func thread() -> UInt { UInt(bitPattern: pthread_self().hashValue) }

  @Test func tasksResumeOnTheClientsThread() async throws {
    let server = try await RedisServer()
    let store = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address]), namespace: "numbers")
    let threads = try await withThrowingTaskGroup(of: Set<UInt>.self) { group in
      for task in 0..<20 {
        group.addTask(executorPreference: RedisClient.executor) {
          var threads: Set = [thread()]
          for round in 0..<50 {
            let value = Data("\(task):\(round)".utf8)
            try await store.setObject(value, forKey: "\(task)")
            threads.insert(thread())
            #expect(try await store.object(forKey: "\(task)") == value)
            threads.insert(thread())
          }
          return threads
        }
      }
      return try await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(threads.count == 1)
    #expect(try await store.keys().count == 20)
  }

  @Test func aCancelledTaskLeavesTheConnectionUsable() async throws {
    let server = try await RedisServer()
    let store = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(30)), namespace: "numbers")
    try await store.setObject(Data("1".utf8), forKey: "a")
    server.freeze()
    let waiting = Task(executorPreference: RedisClient.executor) { try await store.object(forKey: "a") }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    server.thaw()
    let later = Task(executorPreference: RedisClient.executor) { try await store.object(forKey: "a") }
    #expect(try await later.value == Data("1".utf8))
  }
}
