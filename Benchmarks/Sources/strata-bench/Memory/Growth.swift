import BenchHarness

/// The cost of a hit and of a write as the number of entries grows.
struct Growth {
  /// The largest number of entries.
  let largest: Int

  func measure(_ report: inout Report) throws {
    let sizes = Array(sequence(first: 1_000) { $0 < largest ? $0 * 10 : nil })
    let names = [
      (Name.dictionary, "hit"), (Name.dictionary, "write"), (Name.memory, "hit"), (Name.memory, "write"),
    ]
    var table = Table(["entries"] + names.map { "\($0.0): \($0.1)" } + ["hit, ratio", "write, ratio"])
    var curves = Array(repeating: [(x: Double, y: Double)](), count: names.count)
    for size in sizes {
      Progress.say("memory: growth, \(Cell.count(size).shown) entries")
      let found = try measure(size: size)
      for (index, name) in names.enumerated() {
        curves[index].append((Double(size), found.of("\(name.0) \(name.1)").median))
      }
      table.add(
        [.count(size)] + curves.map { .measure($0.last?.y ?? .nan) }
          + ["hit", "write"].map { what in
            .ratio(found.of("\(Name.memory) \(what)").ratio(to: found.of("\(Name.dictionary) \(what)")))
          })
    }
    let styles: [LineChart.Style] = [.plain, .plain, .strong, .strong]
    report.add(
      "Growth",
      """
      Int keys drawn uniformly, so that no cache of the processor helps beyond its size: ns an operation, one thread. What \
      grows is the time to fetch what is not in the processor's caches.
      """,
      table: table,
      plot: Report.Plot(
        "growth",
        LineChart(
          "What a hit and a write cost as a cache grows", subtitle: "Int keys drawn uniformly, one thread",
          x: Axis("entries", isLogarithmic: true), y: Axis("ns an operation"),
          series: zip(names, zip(curves, styles)).map { name, curve in
            LineChart.Series("\(shortened(name.0)), \(name.1)", curve.1, curve.0)
          })))
  }

  private func measure(size: Int) throws -> [Timing] {
    let locked = LockedDictionary<Int, Int>()
    let strata = StrataCache<Int, Int>(capacity: size * 2)
    let keys = Array(0..<size)
    _ = try locked.write(1, forKeys: keys)
    _ = try strata.write(1, forKeys: keys)
    let draws = KeySequence.uniform(min(size * 10, 200_000), of: size, seed: 6)
    return try Comparison(operations: draws.count, rounds: 5).run([
      Contender("\(Name.dictionary) hit") { _, _ in try locked.read(draws) },
      Contender("\(Name.dictionary) write") { _, _ in try locked.write(2, forKeys: draws) },
      Contender("\(Name.memory) hit") { _, _ in try strata.read(draws) },
      Contender("\(Name.memory) write") { _, _ in try strata.write(2, forKeys: draws) },
    ])
  }

  private func shortened(_ name: String) -> String { name == Name.dictionary ? "Dictionary" : "Strata" }
}
