import BenchHarness
import Synchronization
import Testing

struct ComparisonTests {
  struct Call: Equatable, Hashable {
    let name: String
    let thread: Int
    let run: Int
  }

  @Test func `all contenders have the same runs, in turn`() throws {
    let calls = Mutex<[Call]>([])
    let contenders = ["a", "b", "c"].map { name in
      Contender(name) { thread, run in
        calls.withLock { $0.append(Call(name: name, thread: thread, run: run)) }
        return 1
      }
    }
    let comparison = Comparison(operations: 10, rounds: 3, warmUps: 1)
    let timings = try comparison.run(contenders)

    #expect(comparison.runs == 4)
    #expect(
      calls.withLock { $0.map(\.name) } == ["a", "b", "c", "b", "c", "a", "c", "a", "b", "a", "b", "c"],
      "each round begins with another")
    for name in ["a", "b", "c"] {
      #expect(calls.withLock { $0.filter { $0.name == name }.map(\.run) } == [0, 1, 2, 3])
      #expect(timings.of(name).rounds.count == 3, "warm-ups do not count")
    }
  }

  @Test func `each number of threads has its own runs`() throws {
    let calls = Mutex<[Call]>([])
    let timings = try Comparison(operations: 10, threads: [1, 3], rounds: 2, warmUps: 0).run([
      Contender("a") { thread, run in
        calls.withLock { $0.append(Call(name: "a", thread: thread, run: run)) }
        return 1
      }
    ])
    #expect(timings.map(\.threads) == [1, 3])
    let expected = [(0, 0), (0, 1), (1, 1), (2, 1), (0, 2), (0, 3), (1, 3), (2, 3)]
    #expect(calls.withLock { Set($0) } == Set(expected.map { Call(name: "a", thread: $0.0, run: $0.1) }))
    #expect(calls.withLock { $0.count } == expected.count)
  }

  @Test func `the time of a run is divided by its operations`() throws {
    let work: Contender.Work = { _, run in (0..<20_000).reduce(run) { $0 ^ ($1 &* $0) } }
    let timings = try Comparison(operations: 10, rounds: 5).run([
      Contender("few", work: work), Contender("many", operations: 100_000, work: work),
    ])
    #expect(
      (1_000..<100_000).contains(timings.of("few").ratio(to: timings.of("many"))), "10 000 times as many")
  }

  @Test func `work is prepared before each run`() throws {
    let log = Mutex<[String]>([])
    _ = try Comparison(operations: 1, rounds: 1, warmUps: 1).run([
      Contender("a", prepare: { log.withLock { $0.append("prepare") } }) { _, _ in
        log.withLock { $0.append("work") }
        return 0
      }
    ])
    #expect(log.withLock { $0 } == ["prepare", "work", "prepare", "work"])
  }

  struct Broken: Error {}

  @Test(arguments: [1, 2]) func `an error ends the comparison`(_ threads: Int) {
    #expect(throws: Broken.self) {
      try Comparison(operations: 1, threads: [threads], rounds: 1).run([
        Contender("a") { thread, _ in
          if thread == threads - 1 { throw Broken() }
          return 0
        }
      ])
    }
  }

  @Test func `threads run at the same time`() throws {
    // Each thread waits for all others, so that a comparison that ran threads one after the other would never end.
    let arrived = Atomic(0)
    let result = try ThreadTeam.run(4) { thread in
      arrived.wrappingAdd(1, ordering: .sequentiallyConsistent)
      while arrived.load(ordering: .sequentiallyConsistent) < 4 {}
      return thread
    }
    #expect(result.checksum == 6)
    #expect(result.nanoseconds > 0)
  }
}
