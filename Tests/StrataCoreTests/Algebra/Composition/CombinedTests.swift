import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// A combinator that puts one store in front of another.
private enum Way: CaseIterable, Sendable { case combined, backed, pushing }

private struct Pair {
  let time = ManualClock()
  let front: DictionaryStorage<String, Int>
  let back: DictionaryStorage<String, Int>
  let link: any StorageAware<String, Int>

  init(_ way: Way, _ half: Half) {
    front = DictionaryStorage(clock: time.clock)
    back = DictionaryStorage(clock: time.clock)
    link =
      switch way {
      case .combined: seen(front.combined(with: back), through: half)
      case .backed: seen(front.backed(by: back), through: half)
      case .pushing: seen(front.pushing(to: back), through: half)
      }
  }
}

private let readingBoth = [Way.combined, .backed].flatMap { way in Half.allCases.map { (way, $0) } }

struct CombinedTests {
  @Test(
    "a value missing in the front is read from the back and copied to the front with its own expiry",
    arguments: readingBoth)
  private func promotion(way: Way, half: Half) async throws {
    let pair = Pair(way, half)
    try await pair.back.setObject(1, forKey: "a", expiry: .seconds(60))
    #expect(try await pair.link.object(forKey: "a") == 1)
    #expect(try await pair.front.entry(forKey: "a").expiry == pair.back.entry(forKey: "a").expiry)
    pair.time.advance(by: 61)
    #expect(try await pair.link.objectIfPresent(forKey: "a") == nil)
    #expect(try await pair.link.entries(forKeys: ["a"])["a"]?.expiry.isExpired(by: pair.time.clock) != false)
  }

  @Test(
    "the back is read only if the value is absent: a front that fails throws its error",
    arguments: readingBoth)
  private func frontFails(way: Way, half: Half) async throws {
    let pair = Pair(way, half)
    try await pair.back.setObject(1, forKey: "a")
    pair.front.fail(.read)
    await #expect(throws: Failure.first) { try await pair.link.object(forKey: "a") }
    #expect(pair.back.calls(.read) == 0)
  }

  @Test("a back that fails throws its error", arguments: readingBoth)
  private func backFails(way: Way, half: Half) async throws {
    let pair = Pair(way, half)
    pair.back.fail(.read)
    await #expect(throws: Failure.first) { try await pair.link.objectIfPresent(forKey: "a") }
    await #expect(throws: Failure.first) { try await pair.link.entries(forKeys: ["a"]) }
    #expect(pair.front.objects.isEmpty)
  }

  @Test("combined: if the back refuses a write, the front drops the key", arguments: Half.allCases)
  func combinedWrite(half: Half) async throws {
    let pair = Pair(.combined, half)
    try await pair.link.setObject(1, forKey: "a")
    #expect(pair.front.objects == ["a": 1] && pair.back.objects == ["a": 1])
    pair.back.fail(.write)
    await #expect(throws: Failure.first) { try await pair.link.setObject(2, forKey: "a") }
    #expect(pair.front.objects.isEmpty)
    #expect(try await pair.link.object(forKey: "a") == 1)
  }

  @Test(
    "backed: the back is never written, and its values are visible again after a removal in front",
    arguments: Half.allCases)
  func backedWrite(half: Half) async throws {
    let pair = Pair(.backed, half)
    try await pair.back.setObject(1, forKey: "a")
    try await pair.link.setObject(2, forKey: "a")
    try await pair.link.setObjects(["a": 3, "b": 3], expiry: nil)
    #expect(Set(try await pair.link.keys()) == ["a", "b"])
    try await pair.link.removeObject(forKey: "a")
    #expect(try await pair.link.object(forKey: "a") == 1)
    try await pair.link.removeObjects(forKeys: ["a", "b"])
    try await pair.link.removeAll()
    try await pair.link.removeExpiredObjects()
    #expect(pair.back.objects == ["a": 1] && pair.front.objects.isEmpty)
    #expect(pair.back.calls(.write) == 1 && pair.back.calls(.remove) == 0)
    #expect(pair.back.calls(.removeAll) == 0 && pair.back.calls(.sweep) == 0)
  }

  @Test("pushing: changes reach both stores, reads only the front", arguments: Half.allCases)
  func pushing(half: Half) async throws {
    let pair = Pair(.pushing, half)
    try await pair.link.setObject(1, forKey: "a", expiry: .seconds(60))
    try await pair.link.setObjects(["b": 2, "c": 3], expiry: nil)
    try await pair.link.removeObject(forKey: "b")
    try await pair.back.setObject(9, forKey: "only behind")
    #expect(pair.front.objects == ["a": 1, "c": 3])
    #expect(pair.back.objects == ["a": 1, "c": 3, "only behind": 9])
    #expect(try await pair.link.objectIfPresent(forKey: "only behind") == nil)
    #expect(Set(try await pair.link.keys()) == ["a", "c"])
    #expect(pair.back.calls(.read) == 0 && pair.back.calls(.keys) == 0)
  }

  @Test("pushing: a change that the back refuses leaves the front unchanged", arguments: Half.allCases)
  func pushingRefused(half: Half) async throws {
    let pair = Pair(.pushing, half)
    try await pair.link.setObject(1, forKey: "a")
    pair.back.fail(.write, .remove, .removeAll)
    await #expect(throws: Failure.first) { try await pair.link.setObject(2, forKey: "a") }
    await #expect(throws: Failure.first) { try await pair.link.removeObject(forKey: "a") }
    await #expect(throws: Failure.first) { try await pair.link.removeAll() }
    #expect(try await pair.link.object(forKey: "a") == 1)
  }

  @Test("combined is associative for readers", arguments: 0..<8, Half.allCases)
  func associativity(held: Int, half: Half) async throws {
    func stores() throws -> [DictionaryStorage<String, Int>] {
      (0..<3).map { DictionaryStorage(held & (1 << $0) == 0 ? [:] : ["a": $0]) }
    }
    let (left, right) = (try stores(), try stores())
    let one = seen(left[0].combined(with: left[1]).combined(with: left[2]), through: half)
    let other = seen(right[0].combined(with: right[1].combined(with: right[2])), through: half)
    for _ in 0..<2 {
      #expect(try await one.objectIfPresent(forKey: "a") == other.objectIfPresent(forKey: "a"))
      #expect(try await one.objectExists(forKey: "a") == other.objectExists(forKey: "a"))
      #expect(try await one.keys() == other.keys())
    }
    #expect(left[0].objects == right[0].objects, "both put it in the first store")
    try await one.setObject(7, forKey: "a")
    try await other.setObject(7, forKey: "a")
    for store in left + right { #expect(store.objects == ["a": 7]) }
  }

  @Test("an entry cached in front is available without waiting") func peek() throws {
    let link = PeekingStorage(["a": 1]).combined(with: DictionaryStorage(["b": 2]))
    #expect(link.peek(forKey: "a")?.object == 1)
    #expect(link.peek(forKey: "b") == nil)
  }
}
