import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let watch = Verb(
    Command(
      "watch", "print changes as they happen, until the command is interrupted",
      details: """
        Looks at the store again and again and prints what is new: “+” for a new key, “~” for another value or expiry, “-”
        for a key that is gone or has expired. Changes that undo each other between two looks are not seen. The entries
        of a file or folder are read only if it has changed. It takes about 100 bytes of memory a key.
        """,
      arguments: [.store, .pattern],
      options: [
        Option(
          "interval", short: "i", "TIME", .duration, "the time between two reads of the store; by default 1s"),
        Option("count", short: "c", "N", .count, "end after this number of changes"),
      ] + .reading)
  ) { context in
    let name = try context.invocation.required("STORE")
    let pattern = try context.invocation.argument("PATTERN").map { text throws in try Pattern(text) }
    let interval = context.invocation.seconds("interval") ?? 1
    let limit = context.invocation.count("count") ?? .max
    context.watchSignals()
    if context.output.form == .json { throw Failure.usage("changes are printed one by one: use --jsonl") }
    var watching = Watching(pattern: pattern)
    var count = 0
    var isFirst = true
    var mark: Int?
    var files: (path: String, companions: [String])?
    while true {
      // The mark is taken before the store is opened: a later change is found by the next look, even if the store does
      // not show it yet.
      let now = files.map { OpenStore.usage($0.path, $0.companions).mark }
      if now == nil || now != mark || watching.expires(by: StorageClock.system.now) {
        // The store is opened again for each look, so that no backend answers from cached data.
        let store = try Backends.open(name, context.request(.read))
        files = store.path.map { ($0, store.companions) }
        for change in try await watching.look(at: store) where count < limit {
          try context.output.record(change.json, text: change.text(context.terminal))
          count += 1
        }
        if isFirst { try context.output.say("watching \(Units.entries(watching.count))") }
        isFirst = false
        mark = now
        try context.output.flush()
      }
      if count >= limit { return }
      try await context.pause(interval) {
        "saw \(count == 1 ? "1 change" : "\(Units.count(count)) changes")"
      }
    }
  }
}

/// Finds changes in a store by comparing it with fingerprints of its entries at the last look.
private struct Watching {
  struct Change {
    let sign: String
    let name: String
    let key: String
    var size: Int?
    var expiry: Expiry?

    var json: JSON {
      .object([
        "change": .text(name), "key": .text(key), "size": size.map(JSON.integer),
        "expires": expiry.map(\.json),
      ])
    }

    func text(_ terminal: Terminal) -> String {
      let style: Terminal.Style = sign == "+" ? .green : sign == "-" ? .red : .yellow
      return terminal.styled("\(sign) \(terminal.hasOutput ? Terminal.safe(key) : key)", style)
        + (size.map { "  \(Units.bytes($0))" } ?? "")
    }
  }

  private struct Seen {
    let print: Int
    let end: Double
    var look: Int
  }

  private let pattern: Pattern?
  private var seen: [String: Seen] = [:]
  private var look = 0
  private var firstEnd = Double.infinity

  init(pattern: Pattern?) { self.pattern = pattern }

  var count: Int { seen.count }

  /// Returns whether an entry of the last look has expired by now.
  func expires(by now: Date) -> Bool { firstEnd <= now.timeIntervalSince1970 }

  /// Reads all entries that match the pattern. Returns the changes since the last look; none the first time.
  mutating func look(at store: OpenStore) async throws -> [Change] {
    look += 1
    firstEnd = .infinity
    var changes: [Change] = []
    var pages = Pages(of: store, matching: pattern)
    while let items = try await pages.next() {
      try Signals.check("interrupted while reading the store")
      for (key, entry) in items {
        var hasher = Hasher()
        hasher.combine(entry.object)
        hasher.combine(entry.expiry)
        let new = Seen(
          print: hasher.finalize(), end: entry.expiry.end?.timeIntervalSince1970 ?? .infinity, look: look)
        firstEnd = min(firstEnd, new.end)
        let old = seen.updateValue(new, forKey: key)
        if look == 1 || old?.print == new.print { continue }
        changes.append(
          Change(
            sign: old == nil ? "+" : "~", name: old == nil ? "added" : "changed", key: key,
            size: entry.object.count, expiry: entry.expiry))
      }
    }
    let now = store.storage.clock.now.timeIntervalSince1970
    for (key, entry) in seen where entry.look != look && !store.skipped.contains(key, of: store) {
      changes.append(Change(sign: "-", name: entry.end <= now ? "expired" : "removed", key: key))
      seen[key] = nil
    }
    return changes
  }
}
