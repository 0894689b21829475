import Testing

@testable import StrataMemory

/// What a memory does at the events of Apple's systems, whose notifications Linux does not have.
@Suite struct MemoryEventTests {
  @Test("each event evicts its fraction of the entries", arguments: MemoryEvent.allCases, [0, 0.25, 1])
  func events(_ event: MemoryEvent, _ inBackground: Double) throws {
    let memory = MemoryStorage<Int, Int>(config: MemoryConfig(backgroundEviction: inBackground))
    for number in 0..<10_000 { try memory.setObject(number, forKey: number) }
    memory.run(.react(event))
    let rest =
      switch event {
      case .pressure: 5000
      case .criticalPressure: 0
      case .background: Int(10_000 * (1 - inBackground))
      }
    // Each of its shards rounds up.
    #expect(try (rest - 16...rest).contains(memory.keys().count))
  }
}
