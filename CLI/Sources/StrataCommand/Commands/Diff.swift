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
      options: [Option("pattern", short: "p", "PATTERN", .text, "only keys that match")] + .store)
  ) { context in
    let (one, other) = (try context.open("ONE"), try context.open("OTHER"))
    let pattern = try context.invocation.text("pattern").map { text throws in try Pattern(text) }
    context.watchSignals()
    context.output.beginRecords()
    var (read, matched, found) = (0, 0, 0)
    var progress = context.progress("compared")
    var bytes = 0
    var pages = Pages(of: one, matching: pattern)
    while let items = try await pages.next() {
      try context.checkpoint("compared \(Units.entries(read)), \(Units.count(found)) differ")
      let there = try await other.storage.entries(forKeys: items.map(\.key))
      for (key, entry) in items {
        guard let second = there[key], !second.expiry.isExpired(by: other.storage.clock) else {
          found += 1
          try show("-", "onlyInFirst", key, context)
          continue
        }
        matched += 1
        if second.isSame(as: entry) { continue }
        found += 1
        let isValue = second.object != entry.object
        try show(isValue ? "~" : "@", isValue ? "value" : "expiry", key, context)
      }
      read += items.count
      bytes += items.byteCount
      progress.show(entries: read, bytes: bytes)
    }
    // If the second store has as many keys as both stores have in common, the second store has no other keys.
    if try await Pages.count(of: other, matching: pattern) != matched {
      found += try await showOnly(in: other, butNotIn: one, pattern, context)
    }
    progress.end()
    try context.output.endRecords()
    try context.output.say(
      found == 0
        ? "\(Units.entries(matched)), no difference"
        : "\(found == 1 ? "1 difference" : "\(Units.count(found)) differences") in \(Units.entries(matched)) of both"
    )
    if found > 0 {
      try context.output.flush()
      throw CommandEnd(code: .failed)
    }
  }

  private static func showOnly(
    in other: OpenStore, butNotIn one: OpenStore, _ pattern: Pattern?, _ context: Context
  ) async throws -> Int {
    var found = 0
    var pages = Pages(of: other, matching: pattern)
    while let keys = try await pages.nextKeys() {
      try context.checkpoint("\(Units.count(found)) are only in the second store so far")
      for key in keys where try await one.storage.expiryIfPresent(forKey: key) == nil {
        found += 1
        try show("+", "onlyInSecond", key, context)
      }
    }
    return found
  }

  private static func show(_ sign: String, _ kind: String, _ key: String, _ context: Context) throws {
    let style: Terminal.Style = sign == "+" ? .green : sign == "-" ? .red : .yellow
    try context.output.record(
      .object(["key": .text(key), "difference": .text(kind)]),
      text: context.terminal.styled(
        "\(sign) \(context.terminal.hasOutput ? Terminal.safe(key) : key)", style))
  }
}
