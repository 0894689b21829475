#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A column of `top`, with the figure it shows.
struct TierColumn: Sendable {
  private let title: String
  /// The name in JSON.
  private let member: String
  private let value: @Sendable (TierRates) -> Double?
  /// Returns the value for a person.
  private let text: @Sendable (Double) -> String

  private init(
    _ title: String, _ member: String, _ value: @escaping @Sendable (TierRates) -> Double?,
    text: @escaping @Sendable (Double) -> String = TierColumn.short
  ) {
    self.title = title
    self.member = member
    self.value = value
    self.text = text
  }

  private static let all: [TierColumn] = [
    TierColumn("ops/s", "operationsPerSecond", { $0.rate(.operations) }),
    TierColumn("reads/s", "readsPerSecond", { $0.rate(.reads) }),
    TierColumn("hit %", "hitPercentage", \.hitPercentage, text: Units.oneDecimal),
    TierColumn("writes/s", "writesPerSecond", { $0.rate(.writes) }),
    TierColumn("removed/s", "removedPerSecond", { $0.rate(.removals) }),
    TierColumn("evicted/s", "evictedPerSecond", { $0.rate(.evictions) }),
    TierColumn("expired/s", "expiredPerSecond", { $0.rate(.expiries) }),
    TierColumn("failed/s", "failedPerSecond", { $0.rate(.failures) }),
    TierColumn("p50", "medianMilliseconds", { $0.quantile(0.5).map { $0 * 1000 } }, text: time),
    TierColumn("p99", "p99Milliseconds", { $0.quantile(0.99).map { $0 * 1000 } }, text: time),
    TierColumn("entries", "entries", { $0.figures.entries.map(Double.init) }) { Units.count(Int($0)) },
    TierColumn("+/s", "entriesGrowthPerSecond", \.entriesRate),
    TierColumn("size", "size", { $0.figures.size.map(Double.init) }) { Units.bytes(Int($0)) },
    TierColumn("size +/s", "sizeGrowthPerSecond", \.sizeRate) { Units.bytes(Int($0)) },
  ]

  /// The titles of columns that a narrow terminal omits, in this order.
  private static let omitted = [
    "size +/s", "+/s", "expired/s", "removed/s", "ops/s", "evicted/s", "p50", "failed/s",
  ]

  /// The first line for programs.
  static var header: String {
    (["time", "store", "tier"] + all.map(\.title) + ["error"]).joined(separator: "\t")
  }

  /// Returns the values of a row, or `nil` for those that are unknown.
  fileprivate static func values(_ row: Observed.Row) -> [Double?] {
    all.map { column in row.rates.flatMap(column.value) }
  }

  fileprivate static func members(_ row: Observed.Row) -> [JSON.Member] {
    zip(all, values(row)).map { column, value in
      .init(name: column.member, value: value.map { .number(rounded($0)) } ?? .null)
    }
  }

  /// Returns a number with at most three decimals.
  fileprivate static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  @Sendable private static func short(_ value: Double) -> String {
    abs(value) < 99.95 ? Units.oneDecimal(value) : Units.count(Int(value.rounded()))
  }

  @Sendable private static func time(_ milliseconds: Double) -> String { Units.time(milliseconds / 1000) }

  // MARK: The table

  /// Returns the lines of a table for a terminal. Omits columns without any value, and those that do not fit.
  static func table(
    _ rows: [Observed.Row], _ size: (columns: Int, rows: Int), _ terminal: Terminal
  ) -> [String] {
    let values = rows.map(values)
    let stores = rows.map { row in
      let store = Terminal.safe(row.store)
      return store.count > 28 ? "…" + store.suffix(27) : store
    }
    var columns = [
      (title: "store", cells: stores), (title: "tier", cells: rows.map { Terminal.safe($0.tier) }),
    ]
    for (index, column) in all.enumerated() where values.contains(where: { $0[index] != nil }) {
      columns.append((column.title, values.map { $0[index].map(column.text) ?? "-" }))
    }
    func width(_ column: (title: String, cells: [String])) -> Int {
      column.cells.reduce(column.title.count) { max($0, $1.count) }
    }
    for title in omitted where columns.reduce(-2, { $0 + 2 + width($1) }) > size.columns {
      columns.removeAll { $0.title == title }
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, columns).enumerated().map { index, pair in
        index < 2 ? Units.left(pair.0, width(pair.1)) : Units.right(pair.0, width(pair.1))
      }
      return String(padded.joined(separator: "  ").prefix(size.columns))
    }
    var lines = [terminal.styled(line(columns.map(\.title)), .bold)]
    for (index, row) in rows.enumerated() {
      let cells = columns.map { $0.cells[index] }
      guard let failure = row.failure, let since = row.since else {
        lines.append(line(cells))
        continue
      }
      let problem = "  not available since \(Timestamp.text(since)): \(Terminal.safe(failure.message))"
      lines.append(
        terminal.styled(String((line(Array(cells.prefix(2))) + problem).prefix(size.columns)), .red))
    }
    let limit = max(2, size.rows - 1)
    if lines.count > limit {
      lines = lines.prefix(limit - 1) + ["… \(lines.count - limit + 1) more"]
    }
    return lines
  }
}

extension Observed.Row {
  /// The row in a line for programs.
  func line(_ now: Date) -> String {
    let values = TierColumn.values(self).map { value in
      value.map { JSON.number(TierColumn.rounded($0)).compact } ?? "-"
    }
    let words = [Timestamp.text(now), store, tier] + values + [failure?.message ?? "-"]
    return words.map { $0.replacing("\t", with: " ").replacing("\n", with: " ") }.joined(separator: "\t")
  }

  /// The row in JSON.
  func json(_ now: Date) -> JSON {
    .object(
      [
        .init(name: "time", value: .text(Timestamp.text(now))), .init(name: "store", value: .text(store)),
        .init(name: "tier", value: .text(tier)),
      ] + TierColumn.members(self) + [.init(name: "error", value: failure?.json["error"] ?? .null)])
  }
}
