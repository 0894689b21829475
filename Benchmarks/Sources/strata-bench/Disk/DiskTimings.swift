import BenchHarness
import Foundation

/// What gets and puts cost of values of one size, with all that is read in the system's memory.
struct WarmTimings {
  static let operations = [Operation.get, .put]

  let counts: [Int]
  let isQuick: Bool
  private(set) var timings: [Operation: [Timing]] = [:]

  init(counts: [Int], isQuick: Bool) {
    self.counts = counts
    self.isQuick = isQuick
  }

  /// `python` is the one that has diskcache, if any has.
  mutating func measure(_ shelves: [Shelf], _ values: Values, _ python: Python?, in folder: URL) throws {
    let comparison = Comparison(
      operations: 0, threads: DiskPeer.threads, rounds: isQuick ? 1 : 7, warmUps: 1)
    for operation in Self.operations {
      timings[operation] = try comparison.run(shelves.map { contender($0, operation, values) })
    }
    guard let python else { return }
    for count in counts where count <= 100_000 {
      let diskcache = PythonDiskcache(
        python: python, count: count, size: values.first.count,
        gets: isQuick ? 5 : DiskPeer.sqlite.gets(size: values.first.count),
        puts: isQuick ? 5 : DiskPeer.sqlite.puts(size: values.first.count), rounds: comparison.rounds)
      for (operation, timing) in try diskcache.measure(in: folder) {
        timings[operation, default: []].append(timing)
      }
    }
  }

  private func contender(_ shelf: Shelf, _ operation: Operation, _ values: Values) -> Contender {
    let isGet = operation == .get
    let length = isGet ? shelf.peer.gets(size: shelf.size) : shelf.peer.puts(size: shelf.size)
    let draws = DiskPeer.threads.indices.map {
      Draw(isQuick ? min(length, 20) : length, of: shelf.count, seed: $0 + 1)
    }
    return Contender(shelf.name, operations: draws[0].numbers.count) { thread, run in
      let store = try shelf.opened()
      return isGet
        ? try store.read(draws[thread], thread) : try store.write(values[run + 1], draws[thread], thread)
    }
  }

  private func of(_ name: String, _ operation: Operation, _ threads: Int) -> Timing? {
    timings[operation]?.first { $0.name == name && $0.threads == threads }
  }

  /// How many times the time of the second; nothing if one of them was not measured.
  func ratio(_ one: String, _ other: String, _ operation: Operation, threads: Int = 1) -> Double? {
    guard let one = of(one, operation, threads), let other = of(other, operation, threads) else { return nil }
    return one.ratio(to: other)
  }

  /// How many times what the fewest entries cost the most entries do.
  func growth(_ peer: DiskPeer, _ operation: Operation) -> Double? {
    guard let first = counts.first, let last = counts.last, first != last else { return nil }
    return ratio(Shelf.name(peer, last), Shelf.name(peer, first), operation)
  }

  /// Microseconds, and the ratio to the bare call with as many entries and threads.
  var table: Table {
    var table = Table(["store", "entries", "threads", "get", "get, ratio", "put", "put, ratio"])
    for name in DiskPeer.allCases.map(\.rawValue) + [PythonDiskcache.name] {
      for count in counts {
        for threads in DiskPeer.threads {
          let store = "\(name), \(count)"
          if of(store, .get, threads) == nil { continue }
          table.add(
            [.text(name), .count(count), .count(threads)]
              + Self.operations.flatMap { operation -> [Cell] in
                let ratio = ratio(store, Shelf.name(.bare, count), operation, threads: threads)
                return [
                  of(store, operation, threads).map { .measure($0.median / 1_000) } ?? .none,
                  ratio.map { .ratio($0) } ?? .none,
                ]
              })
        }
      }
    }
    return table
  }
}
