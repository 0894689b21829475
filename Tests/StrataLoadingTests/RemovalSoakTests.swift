import Foundation
import TestSupport
import Testing

@testable import Strata
@testable import StrataLoading

/// A source changes and its old value is removed at a random time during a load; a read that begins afterwards, and
/// the read after that, must return the new value.
@Suite("Loading: removals at random times during loads (Soak)", .endsInTime)
struct RemovalSoakTests {
  /// Counts the rounds in which a later read is stale.
  func staleRounds(
    _ rounds: Int, _ reader: LoadingStorage<String, Int>, _ source: Shared<Int>,
    removing: @escaping @Sendable () async throws -> Void
  ) async throws -> Int {
    var stale = 0
    for round in 0..<rounds {
      let key = "\(round)"
      source.change { $0 = 1 }
      let old = Task { try await reader.object(forKey: key) }
      for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
      source.change { $0 = 2 }
      try await removing()
      let late = try await reader.object(forKey: key)
      _ = try await old.value
      let last = try await reader.object(forKey: key)
      if late != 2 || last != 2 { stale += 1 }
    }
    return stale
  }

  func loader(_ source: Shared<Int>) -> @Sendable (LoadRequest<String, Int>) async throws -> Loaded<Int> {
    { (_: LoadRequest<String, Int>) in
      let value = source.value
      for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
      return .value(value, tags: ["t"])
    }
  }

  @Test("a removal by tag")
  func local() async throws {
    let source = Shared(1)
    let cache = MemoryStorage<String, Cached<Int>>().loading(LoadPolicy(), loader(source))
    let stale = try await staleRounds(Soak.rounds(2000, soak: 15_000), cache, source) {
      try await cache.remove(tagged: "t")
    }
    #expect(stale == 0)
  }

  @Test("a removal by tag on another machine")
  func machines() async throws {
    let source = Shared(1)
    let tags = MemoryStorage<String, Data>()
    let here = MemoryStorage<String, Cached<Int>>().loading(generations: Generations(tags), loader(source))
    let there = MemoryStorage<String, Cached<Int>>().loading(generations: Generations(tags), loader(source))
    let stale = try await staleRounds(Soak.rounds(2000, soak: 5000), here, source) {
      try await there.remove(tagged: "t")
    }
    #expect(stale == 0)
  }

  @Test("`removeAll` of another loading store over the same store")
  func siblings() async throws {
    let source = Shared(1)
    let memory = MemoryStorage<String, Cached<Int>>()
    let (here, there) = (
      memory.loading(LoadPolicy(), loader(source)), memory.loading(LoadPolicy(), loader(source))
    )
    let stale = try await staleRounds(Soak.rounds(2000, soak: 5000), here, source) {
      try await there.removeAll()
    }
    #expect(stale == 0)
  }
}
