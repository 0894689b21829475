import BenchHarness
import Foundation

/// Where what is asked for is when a run begins.
enum Temperature: CaseIterable {
  /// In the system's memory.
  case warm
  /// On the disk alone: the store was just opened, and all of its files dropped from the system's memory.
  case cold
}

/// What gets and puts cost of values of one size, with all the numbers of entries that there are.
struct DiskTimings {
  static let operations = [Operation.get, .put]

  private struct Kind: Hashable {
    let operation: Operation
    let temperature: Temperature
  }

  let counts: [Int]
  let isQuick: Bool
  private var timings: [Kind: [Timing]] = [:]

  init(counts: [Int], isQuick: Bool) {
    self.counts = counts
    self.isQuick = isQuick
  }

  /// - Parameters:
  ///   - python: The one that has diskcache, if any has.
  ///   - canDrop: Whether the system drops files from its memory, so that there is anything cold.
  mutating func measure(
    _ shelves: [Shelf], _ values: Values, _ python: Python?, canDrop: Bool, in folder: URL
  ) throws {
    // Otherwise the system would write what was filled while others are measured.
    for shelf in shelves { try PageCache.flush(shelf.folder) }
    for temperature in Temperature.allCases where canDrop || temperature == .warm {
      for operation in Self.operations {
        let kind = Kind(operation: operation, temperature: temperature)
        timings[kind] = try comparison(temperature).run(shelves.map { contender($0, kind, values) })
      }
    }
    guard let python else { return }
    for count in counts where count <= PythonDiskcache.most {
      try measure(
        PythonDiskcache(
          python: python, count: count, size: values.first.count,
          gets: isQuick ? 5 : DiskPeer.sqlite.gets(size: values.first.count),
          puts: isQuick ? 5 : max(DiskPeer.sqlite.puts(size: values.first.count) / 4, 5),
          coldOperations: coldOperations(size: values.first.count), rounds: comparison(.warm).rounds,
          canDrop: canDrop), in: folder)
    }
  }

  private mutating func measure(_ diskcache: PythonDiskcache, in folder: URL) throws {
    for (operation, temperature, timing) in try diskcache.measure(in: folder) {
      timings[Kind(operation: operation, temperature: temperature), default: []].append(timing)
    }
  }

  /// Cold runs have to open the store anew each time.
  private func comparison(_ temperature: Temperature) -> Comparison {
    Comparison(
      operations: 0, threads: DiskPeer.threads, rounds: isQuick ? 1 : temperature == .warm ? 7 : 3, warmUps: 1
    )
  }

  /// So few that most of what is asked for has not been brought by what was asked for before.
  private func coldOperations(size: Int) -> Int { isQuick ? 5 : size < DiskPeer.large ? 50 : 5 }

  private func contender(_ shelf: Shelf, _ kind: Kind, _ values: Values) -> Contender {
    let isGet = kind.operation == .get
    let isCold = kind.temperature == .cold
    let warm = isGet ? shelf.peer.gets(size: shelf.size) : shelf.peer.puts(size: shelf.size)
    let length = isCold ? coldOperations(size: shelf.size) : isQuick ? min(warm, 20) : warm
    let draws = DiskPeer.threads.indices.map {
      Draw(length, of: shelf.count, seed: $0 + (isCold ? 101 : 1))
    }
    return Contender(
      shelf.name, operations: length, prepare: { if isCold { try shelf.openCold() } }
    ) { thread, run in
      let store = try shelf.opened()
      return isGet
        ? try store.read(draws[thread], thread) : try store.write(values[run + 1], draws[thread], thread)
    }
  }

  /// What was measured of a store, if it was.
  func of(
    _ name: String, _ operation: Operation, threads: Int = 1, _ temperature: Temperature = .warm
  ) -> Timing? {
    timings[Kind(operation: operation, temperature: temperature)]?.first {
      $0.name == name && $0.threads == threads
    }
  }

  /// How many times the time of the second; nothing if one of them was not measured.
  func ratio(
    _ one: String, _ other: String, _ operation: Operation, threads: Int = 1,
    _ temperature: Temperature = .warm
  ) -> Double? {
    guard let one = of(one, operation, threads: threads, temperature),
      let other = of(other, operation, threads: threads, temperature)
    else { return nil }
    return one.ratio(to: other)
  }

  /// How many times what the fewest entries cost the most entries do.
  func growth(_ peer: DiskPeer, _ operation: Operation) -> Double? {
    guard let first = counts.first, let last = counts.last, first != last else { return nil }
    return ratio(Shelf.name(peer, last), Shelf.name(peer, first), operation)
  }
}
