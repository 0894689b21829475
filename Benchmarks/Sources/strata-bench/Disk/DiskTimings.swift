import BenchHarness
import Foundation

/// Whether the requested data is in memory when a run begins.
enum Temperature: CaseIterable {
  /// The data is in the page cache.
  case warm
  /// The data is on disk only: the store was just opened, and its files were dropped from the page cache.
  case cold
}

/// The costs of gets and puts of values of one size, for all numbers of entries.
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
  ///   - python: A Python with diskcache, if there is one.
  ///   - canDrop: Whether files can be dropped from the page cache, as cold runs need.
  mutating func measure(
    _ shelves: [Shelf], _ values: Values, _ python: Python?, canDrop: Bool, in folder: URL
  ) throws {
    // Otherwise the system would write the initial entries during later measurements.
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

  /// Cold runs open the store again each time.
  private func comparison(_ temperature: Temperature) -> Comparison {
    Comparison(
      operations: 0, threads: DiskPeer.threads, rounds: isQuick ? 1 : temperature == .warm ? 7 : 3, warmUps: 1
    )
  }

  /// Returns the number of operations of a cold run: few, so that read-ahead for earlier operations covers little of
  /// the data for later ones.
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

  /// Returns the timing of a store, if it was measured.
  func of(
    _ name: String, _ operation: Operation, threads: Int = 1, _ temperature: Temperature = .warm
  ) -> Timing? {
    timings[Kind(operation: operation, temperature: temperature)]?.first {
      $0.name == name && $0.threads == threads
    }
  }

  /// Returns the first store's time as a multiple of the second's; `nil` if one of them was not measured.
  func ratio(
    _ one: String, _ other: String, _ operation: Operation, threads: Int = 1,
    _ temperature: Temperature = .warm
  ) -> Double? {
    guard let one = of(one, operation, threads: threads, temperature),
      let other = of(other, operation, threads: threads, temperature)
    else { return nil }
    return one.ratio(to: other)
  }

  /// Returns the cost with the most entries as a multiple of the cost with the fewest.
  func growth(_ peer: DiskPeer, _ operation: Operation) -> Double? {
    guard let first = counts.first, let last = counts.last, first != last else { return nil }
    return ratio(Shelf.name(peer, last), Shelf.name(peer, first), operation)
  }
}
