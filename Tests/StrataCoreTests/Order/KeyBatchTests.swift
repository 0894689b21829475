import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder
@testable import StrataStreams
@testable import StrataValues

@Suite("KeyBatch: several keys on the fast path")
struct KeyBatchTests {
  /// With two shards, three keys count as many: they are in all shards.
  private let order = KeyOrder<Int>(shards: 2)

  @Test("a batch takes its keys and no others", arguments: [[1, 2], [1, 2, 3]])
  func taking(_ keys: [Int]) throws {
    let batch = try #require(order.take(Set(keys), by: .nobody))
    for key in keys { #expect(order.ifFree(key) {} == nil, "\(key) is taken") }
    #expect(order.ifFree(7) {} != nil)
    #expect(order.take([3, keys[0]], by: .nobody) == nil)
    let other = try #require(order.take([8, 9], by: .nobody))
    order.release(batch)
    for key in keys { #expect(order.ifFree(key) {} != nil, "\(key) is released") }
    order.release(other)
    #expect(order.isEmpty)
  }

  @Test("a batch with one key in use takes none", arguments: [1, 2, 3])
  func refusal(_ used: Int) throws {
    try order.withTurn(.key(used)) {
      #expect(order.take([1, 2, 3], by: .nobody) == nil)
      for key in [1, 2, 3] where key != used { #expect(order.ifFree(key) {} != nil) }
    }
    #expect(order.isEmpty)
  }

  @Test("waiters of several keys of a batch all get their turns when it ends, and no other batch passes them")
  func waiters() throws {
    let batch = try #require(order.take([1, 2, 3], by: .nobody))
    let waiting = [1, 2, 2].map { order.line(up: .key($0)) }
    #expect(waiting.allSatisfy { !order.hasCome($0) })
    order.release(batch)
    #expect(waiting.map(order.hasCome) == [true, true, false])
    #expect(order.take([2, 3], by: .nobody) == nil)
    for turn in waiting { order.leave(turn) }
    #expect(order.isEmpty)
  }

  @Test("a turn of all keys waits for a batch, and operations on the batch's keys wait for both")
  func fence() throws {
    let batch = try #require(order.take([1, 2, 3], by: .nobody))
    let fence = order.line(up: .everything)
    let behind = order.line(up: .key(2))
    #expect(!order.hasCome(fence) && !order.hasCome(behind))
    order.release(batch)
    #expect(order.hasCome(fence) && !order.hasCome(behind))
    #expect(order.take([8, 9], by: .nobody) == nil, "the fence has everything")
    order.leave(fence)
    #expect(order.hasCome(behind))
    order.leave(behind)
    #expect(order.isEmpty)
  }

  @Test("a batch of no keys has nothing to wait for")
  func empty() throws {
    let ran: Bool? = try order.withTurn(.everything) { order.take([], by: .nobody).map { _ in true } }
    #expect(ran == true)
    #expect(order.isEmpty)
  }
}
