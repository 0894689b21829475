import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

/// Atomic conditional writes.
@Suite(.timeLimit(.minutes(10))) struct RedisConditionalTests {
  private let server: RedisServer
  private let config: RedisConfig
  private let store: RedisStorage<String>

  init() async throws {
    server = try await RedisServer()
    config = RedisConfig(addresses: [server.address], timeout: .seconds(60))
    store = try RedisStorage(config: config, namespace: "s")
  }

  @Test func setIfAbsentStoresOneOfManyValues() async throws {
    let (config, winners) = (config, Shared<[Int]>([]))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let store = try RedisStorage<String>(config: config, namespace: "s")
          if try await store.setIfAbsent(text("\(number)"), forKey: "key", expiry: .seconds(100)) {
            winners.change { $0.append(number) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(winners.value.count == 1)
    #expect(try await store.object(forKey: "key") == text("\(winners.value[0])"))
    guard case .integer(let left) = try await server.run("PTTL", "s::key") else { throw Failure.first }
    #expect(0 < left && left <= 100_000)
    #expect(try await store.setIfAbsent(text("x"), forKey: "over", expiry: .date(.distantPast)))
    #expect(try await store.entryIfPresent(forKey: "over") == nil)
  }

  @Test func touchChangesOnlyTheExpiry() async throws {
    #expect(try await !store.touch(forKey: "key", expiry: .seconds(10)))
    #expect(try await !store.touch(forKey: "key", expiry: .never))
    #expect(try await server.run("DBSIZE") == .integer(0))
    let date = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 1000).rounded())
    try await store.setObject(text("x"), forKey: "key")
    for expiry in [Expiry.date(date), .never, .date(date.addingTimeInterval(5))] {
      #expect(try await store.touch(forKey: "key", expiry: expiry))
      #expect(try await store.entryIfPresent(forKey: "key") == Entry(object: text("x"), expiry: expiry))
    }
    #expect(try await store.touch(forKey: "key", expiry: .seconds(50)))
    guard case .integer(let left) = try await server.run("PTTL", "s::key") else { throw Failure.first }
    #expect(0 < left && left <= 50_000)
    #expect(try await store.touch(forKey: "key", expiry: .date(.distantPast)))
    #expect(try await store.entryIfPresent(forKey: "key") == nil)
    // An empty value is not absent.
    try await store.setObject(Data(), forKey: "empty")
    #expect(try await store.touch(forKey: "empty", expiry: .never))
  }

  @Test func concurrentIncrementsAreAllCounted() async throws {
    let config = config
    let sums = try await withThrowingTaskGroup(of: [Int].self) { group in
      for task in 0..<8 {
        group.addTask {
          let store = try RedisStorage<String>(config: config, namespace: "s")
          var sums: [Int] = []
          for _ in 0..<50 { sums.append(try await store.increment(forKey: "n", by: task % 2 == 0 ? 1 : 3)) }
          return sums
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(sums).count == 400)
    #expect(try await server.run("GET", "s::n") == .bulk(text("800")))
    #expect(try await store.increment(forKey: "n", by: -801) == -1)
    #expect(try await store.object(forKey: "n") == text("-1"))
  }

  @Test func countersKeepTheirExpiryAndNewOnesGetTheStores() async throws {
    try await store.setObject(text("5"), forKey: "n", expiry: .seconds(100))
    #expect(try await store.increment(forKey: "n", by: 2) == 7)
    guard case .integer(let left) = try await server.run("PTTL", "s::n") else { throw Failure.first }
    #expect(0 < left && left <= 100_000)
    let limits = try RedisStorage<String>(config: config, namespace: "limits", expiry: .seconds(50))
    for sum in 1...3 { #expect(try await limits.increment(forKey: "n", by: 1) == sum) }
    guard case .integer(let rest) = try await server.run("PTTL", "limits::n") else { throw Failure.first }
    #expect(0 < rest && rest <= 50_000)
    #expect(try await store.increment(forKey: "forever", by: 1) == 1)
    #expect(try await server.run("PTTL", "s::forever") == .integer(-1))
  }

  @Test(arguments: [("x", 1), ("9223372036854775807", 1), ("", 0)])
  func onlyIntegersCanBeIncremented(_ value: String, _ amount: Int) async throws {
    try await store.setObject(text(value), forKey: "n")
    let error = await failure { try await store.increment(forKey: "n", by: amount) }
    #expect(error == .typeNotMatch)
    #expect(error?.key as? String == "n")
    #expect(try await store.object(forKey: "n") == text(value))
  }
}
