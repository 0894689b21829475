import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let ls = Verb(
    Command(
      "ls", "list the keys",
      details: """
        Prints keys as they come from the store, in its order, while it still reads. With --sort it reads all first.

        On a terminal --long prints a table; elsewhere a size in bytes, a date and a key, separated by tabs.
        """,
      arguments: [.store, .pattern],
      options: [
        Option(flag: "long", short: "l", "with size and expiry"),
        Option("limit", short: "n", "N", .count, "maximum number of keys"),
        Option("sort", "BY", .choice(["key", "size", "expiry"]), "sort by key, size or expiry"),
        Option(flag: "reverse", short: "r", "sort in descending order"),
      ] + .reading)
  ) { context in
    let store = try context.open("STORE")
    let pattern = try context.invocation.argument("PATTERN").map { text throws in try Pattern(text) }
    let limit = context.invocation.count("limit") ?? .max
    context.watchSignals()
    context.output.beginRecords()
    let listing = Listing(context: context, isLong: context.invocation.has("long"))
    var pages = Pages(of: store, matching: pattern)
    var count = 0
    if let order = context.invocation.text("sort") {
      try listing.begin()
      for row in try await listing.sorted(&pages, by: order).prefix(limit) { try listing.show(row) }
      return
    }
    try listing.begin()
    while count < limit {
      try context.checkpoint("listed \(Units.entries(count))")
      // A small first page is printed at once.
      guard let rows = try await listing.rows(&pages, atMost: count == 0 ? 64 : 1000) else { break }
      for row in rows.prefix(limit - count) { try listing.show(row) }
      count += rows.count
      try context.output.flush()
    }
  }
}

/// The rows that `ls` prints.
private struct Listing {
  struct Row {
    let key: String
    var size = 0
    var expiry = Expiry.never
  }

  let context: Context
  let isLong: Bool

  /// Returns at most `limit` next rows, or `nil` after the last one. Without --long it reads only keys.
  func rows(_ pages: inout Pages, atMost limit: Int) async throws -> [Row]? {
    if isLong { return try await pages.next(limit)?.map(row) }
    return try await pages.nextKeys(limit)?.map { Row(key: $0) }
  }

  private func row(_ item: Pages.Item) -> Row {
    Row(key: item.key, size: item.entry.object.count, expiry: item.entry.expiry)
  }

  func sorted(_ pages: inout Pages, by order: String) async throws -> [Row] {
    var rows: [Row] = []
    while true {
      try context.checkpoint("read \(Units.entries(rows.count))")
      let next = order == "key" ? try await self.rows(&pages, atMost: 1000) : try await pages.next()?.map(row)
      guard let next else { break }
      rows += next
    }
    let isReversed = context.invocation.has("reverse")
    return rows.sorted { one, other in
      let (a, b) = isReversed ? (other, one) : (one, other)
      switch order {
      case "size": return a.size == b.size ? a.key < b.key : a.size > b.size
      case "expiry":
        let (first, second) = (a.expiry.end ?? .distantFuture, b.expiry.end ?? .distantFuture)
        return first == second ? a.key < b.key : first < second
      default: return a.key < b.key
      }
    }
  }

  /// Prints the heading of the table that --long shows on a terminal.
  func begin() throws {
    guard isLong, context.isForPerson else { return }
    try context.output.line(context.terminal.styled("      size  expires in  key", .bold))
  }

  func show(_ row: Row) throws {
    try context.output.record(json(row), text: text(row))
  }

  private func json(_ row: Row) -> JSON {
    isLong
      ? .object(["key": .text(row.key), "size": .integer(row.size), "expires": row.expiry.json])
      : .object(["key": .text(row.key)])
  }

  private func text(_ row: Row) -> String {
    guard context.isForPerson else {
      return isLong ? "\(row.size)\t\(row.expiry.text)\t\(row.key)" : row.key
    }
    let key = Terminal.safe(row.key)
    if !isLong { return key }
    let left = row.expiry.end.map { Timestamp.span($0.timeIntervalSinceNow) } ?? "never"
    return "\(Units.right(Units.bytes(row.size), 10))  \(Units.right(left, 10))  \(key)"
  }
}
