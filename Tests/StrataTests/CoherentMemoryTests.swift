import Foundation
import Strata
import TestSupport
import Testing

@Suite("Memory in front of a store that reports changes") struct CoherentMemoryTests {
  private typealias Memory = MemoryStorage<String, TypeWrapper>

  private let server = AnnouncingServer<Data>()

  @Test(
    "hits reflect changes and losses of the link, and each hit is counted once", arguments: Mode.allCases,
    [false, true])
  func hits(_ mode: Mode, isNested: Bool) async throws {
    let (memory, client) = (Memory(), AnnouncingStorage(server))
    let other = AnnouncingStorage(server)
    let tiers = HybridStorage(front: memory, back: client)
    let users =
      isNested
      ? Storage(
        front: HybridStorage(front: memory, back: MemoryStorage<String, Data>()), back: client,
        transformer: .codable(Int.self))
      : Storage(TypeWrapperStorage(tiers, transformer: .codable(Int.self)))
    func write(_ number: Int) throws { try other.setObject(Data("\(number)".utf8), forKey: "a", expiry: nil) }

    try write(1)
    for _ in 0..<3 { #expect(try await mode.get(users, "a") == 1) }
    // A front of two tiers may block, and is emptied by a task: meanwhile its entries are suspect.
    if !isNested {
      #expect(memory.statistics.hits == 2)
      #expect(users.peek(forKey: "a")?.object == 1)
    }
    try write(2)
    if !isNested { #expect(try await mode.get(users, "a") == 1, "the message has not arrived yet") }
    client.deliverAll()
    for _ in 0..<2 { #expect(try await mode.get(users, "a") == 2) }
    client.cut()
    try write(3)
    client.noticeLoss()
    #expect(users.peek(forKey: "a") == nil)
    for _ in 0..<2 { #expect(try await mode.get(users, "a") == 3) }
    client.reconnect()
    try write(4)
    for _ in 0..<2 { #expect(try await mode.get(users, "a") == 4) }
  }

  @Test(
    "hits of a typed chain without a `Storage` reflect them too, and a view of another type does not use the value"
  )
  func typedChain() async throws {
    let (memory, client) = (Memory(), AnnouncingStorage(server))
    let other = AnnouncingStorage(server)
    let chain = TypeWrapperStorage(
      HybridStorage(front: memory, back: client), transformer: .codable(Int.self))
    try blocking { try other.setObject(Data("1".utf8), forKey: "a") }
    for _ in 0..<3 { #expect(try await chain.object(forKey: "a") == 1) }
    #expect(memory.statistics.hits == 2)
    let texts = chain.transform(to: .codable([Int].self))
    await #expect(throws: StorageError.typeNotMatch) { try await texts.object(forKey: "a") }
    try blocking { try other.setObject(Data("[2]".utf8), forKey: "a") }
    client.deliverAll()
    #expect(try await texts.object(forKey: "a") == [2])
    await #expect(throws: StorageError.typeNotMatch) { try await chain.object(forKey: "a") }
  }

  @Test("a value that has expired in memory is read again")
  func expired() async throws {
    let time = ManualClock()
    let memory = Memory(config: MemoryConfig(expiry: .seconds(9), clock: time.clock))
    let client = AnnouncingStorage(server)
    let chain = TypeWrapperStorage(
      HybridStorage(front: memory, back: client), transformer: .codable(Int.self))
    try blocking { try client.setObject(Data("1".utf8), forKey: "a") }
    client.deliverAll()
    for _ in 0..<2 { #expect(try await chain.object(forKey: "a") == 1) }
    #expect(memory.statistics.hits == 1)
    time.advance(by: .seconds(10))
    #expect(try await chain.object(forKey: "a") == 1)
    #expect(memory.statistics.hits == 1)
  }
}
