import CommandTable
import StrataCore

extension Verb {
  static let diff = Verb(
    Command(
      "diff", "compare two stores; ends with status 1 if they differ",
      details: """
        Prints a line for each entry that differs: “-” if only the first store has it, “+” if only the second, “~” if the
        bytes differ, “@” if only the expiries do. Expiries are the same if they differ by less than 2 ms, the
        resolution of the coarsest backend.
        """,
      arguments: [
        Argument("ONE", "a store", completion: .program("store")),
        Argument("OTHER", "another store", completion: .program("store")),
      ],
      options: [
        Option("pattern", short: "p", "PATTERN", .text, "only keys that match"),
        Option(flag: "summary", "only count the differences of each kind"),
        Option("limit", short: "n", "N", .count, "maximum number of differences to print; all are counted"),
      ] + .reading)
  ) { context in
    let (one, other) = (try context.open("ONE"), try context.open("OTHER"))
    let pattern = try context.invocation.text("pattern").map { text throws in try Pattern(text) }
    context.watchSignals()
    var listing = Differences(context: context)
    var (read, matched) = (0, 0)
    var progress = context.progress("compared")
    var bytes = 0
    var pages = Pages(of: one, matching: pattern)
    while let items = try await pages.next() {
      try context.checkpoint("compared \(Units.entries(read)), \(Units.count(listing.count)) differ")
      let there = try await other.entries(forKeys: items.map(\.key))
      for (key, entry) in items where !other.skipped.contains(key, of: other) {
        guard let second = there[key], !second.expiry.isExpired(by: other.storage.clock) else {
          try listing.add(.onlyInFirst, key)
          continue
        }
        matched += 1
        if second.isSame(as: entry) { continue }
        try listing.add(second.object != entry.object ? .value : .expiry, key)
      }
      read += items.count
      bytes += items.byteCount
      progress.show(entries: read, bytes: bytes)
    }
    // If the second store has as many keys as both stores have in common, the second store has no other keys.
    if try await Pages.count(of: other, matching: pattern) != matched {
      try await findOnly(in: other, butNotIn: one, pattern, &listing)
    }
    progress.end()
    try listing.end(matched: matched)
    if listing.count > 0 {
      try context.output.flush()
      throw CommandEnd(code: .failed)
    }
  }

  private static func findOnly(
    in other: OpenStore, butNotIn one: OpenStore, _ pattern: Pattern?, _ listing: inout Differences
  ) async throws {
    var pages = Pages(of: other, matching: pattern)
    while let keys = try await pages.nextKeys() {
      try listing.context.checkpoint("\(Units.count(listing.count)) differences so far")
      for key in keys {
        // A damaged entry is in the store, though it cannot be compared.
        do { if try await one.storage.expiryIfPresent(forKey: key) != nil { continue } } catch StorageError
          .malformedFileAttributes
        { continue }
        try listing.add(.onlyInSecond, key)
      }
    }
  }
}

/// Prints and counts the differences of two stores.
private struct Differences {
  enum Kind: String, CaseIterable { case onlyInFirst, onlyInSecond, value, expiry }

  let context: Context
  private let limit: Int
  private var counts: [Kind: Int] = [:]

  init(context: Context) {
    self.context = context
    limit = context.invocation.has("summary") ? 0 : context.invocation.count("limit") ?? .max
    if !context.invocation.has("summary") { context.output.beginRecords() }
  }

  var count: Int { counts.values.reduce(0, +) }

  mutating func add(_ kind: Kind, _ key: String) throws {
    counts[kind, default: 0] += 1
    if count > limit { return }
    let (sign, style): (String, Terminal.Style) =
      switch kind {
      case .onlyInFirst: ("-", .red)
      case .onlyInSecond: ("+", .green)
      case .value: ("~", .yellow)
      case .expiry: ("@", .yellow)
      }
    try context.output.record(
      .object(["key": .text(key), "difference": .text(kind.rawValue)]),
      text: context.terminal.styled(
        "\(sign) \(context.terminal.hasOutput ? Terminal.safe(key) : key)", style))
  }

  /// Prints the sums.
  func end(matched: Int) throws {
    if context.invocation.has("summary") {
      let names = [
        Kind.onlyInFirst: "only in the first", .onlyInSecond: "only in the second", .value: "other value",
        .expiry: "other expiry",
      ]
      let sums = Kind.allCases.map { ($0, counts[$0] ?? 0) }
      try context.output.document(
        .object(
          sums.map { .init(name: $0.rawValue, value: .integer($1)) }
            + [.init(name: "inBoth", value: .integer(matched))]),
        text: sums.map { "\(Units.left(names[$0] ?? "", 20))\(Units.count($1))\n" }.joined())
    }
    try context.output.endRecords()
    let differences = count == 1 ? "1 difference" : "\(Units.count(count)) differences"
    try context.output.say(
      count == 0
        ? "\(Units.entries(matched)), no difference" : "\(differences) in \(Units.entries(matched)) of both")
  }
}
