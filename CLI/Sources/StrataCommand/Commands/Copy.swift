import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let copy = Verb(
    Command(
      "copy", "copy all entries to another store, of whatever backend",
      details: """
        Keeps keys, bytes and expiries. Entries that the other store has already, equal in all three, are not written
        again: run the same command once more to go on after an interruption. What was written is read again and
        compared. Entries of the other store that this one has not are left there.
        """,
      arguments: [
        Argument("FROM", "the store to read", completion: .program("store")),
        Argument("TO", "the store to write; made if it is missing", completion: .program("store")),
      ],
      options: [
        Option("pattern", short: "p", "PATTERN", .text, "only keys that match"),
        Option("rate", "RATE", .rate, "at most so many bytes a second, such as 10MB/s"),
        Option(flag: "dry-run", short: "n", "only count what would be copied"),
        Option(flag: "no-check", "do not read again what was written"),
      ] + .store)
  ) { context in
    let isDry = context.invocation.has("dry-run")
    let (from, to) = try stores(context, isDry: isDry)
    context.watchSignals()
    var copying = Copying(context: context, to: to, isDry: isDry)
    try await copying.run(from)
    try context.output.document(copying.result, text: copying.summary)
  }

  private static func stores(_ context: Context, isDry: Bool) throws -> (OpenStore, OpenStore?) {
    let names = (try context.invocation.required("FROM"), try context.invocation.required("TO"))
    let urls = (try StoreURL(names.0), try StoreURL(names.1))
    let isSamePlace =
      urls.0.scheme == urls.1.scheme && Paths.absolute(urls.0.path) == Paths.absolute(urls.1.path)
    if isSamePlace, urls.0.parameters == urls.1.parameters {
      throw Failure.usage("both stores are the same")
    }
    // Two stores in one file or folder cannot be opened in two ways by one process.
    let from = try Backends.open(names.0, context.request(isSamePlace && !isDry ? .write : .read))
    do { return (from, try Backends.open(names.1, context.request(isDry ? .read : .create))) } catch {
      let failure = Failure(error)
      if isDry, failure.code == .notFound { return (from, nil) }
      throw failure
    }
  }
}

/// A copy that is under way.
private struct Copying {
  let context: Context
  /// The store to write; `nil` if it would have to be made.
  let to: OpenStore?
  let isDry: Bool
  private var copied = 0
  private var same = 0
  private var bytes = 0
  private var start = 0.0

  init(context: Context, to: OpenStore?, isDry: Bool) {
    self.context = context
    self.to = to
    self.isDry = isDry
  }

  mutating func run(_ from: OpenStore) async throws {
    let pattern = try context.invocation.text("pattern").map { text throws in try Pattern(text) }
    let total = context.showsProgress ? try await Pages.count(of: from, matching: pattern) : nil
    let mayHaveSome = try await hasEntries()
    var progress = context.progress(isDry ? "read" : "copied", total: total)
    var pages = Pages(of: from, matching: pattern)
    start = Context.seconds()
    while let items = try await pages.next() {
      let changed = mayHaveSome ? try await self.changed(items) : items
      if !changed.isEmpty, !isDry, let to { try await write(changed, to) }
      copied += changed.count
      same += items.count - changed.count
      bytes += changed.byteCount
      progress.show(entries: copied + same, bytes: bytes)
      try await keepRate()
    }
    progress.end()
  }

  private func hasEntries() async throws -> Bool {
    guard let to else { return false }
    var pages = Pages(of: to)
    do { return try await pages.nextKeys(1) != nil } catch StorageError.notFound where isDry {
      // A server tells only now that the store would have to be made.
      return false
    }
  }

  /// Returns the entries that the other store does not have like this.
  private func changed(_ items: [Pages.Item]) async throws -> [Pages.Item] {
    guard let to else { return items }
    let there = try await to.storage.entries(forKeys: items.map(\.key))
    return items.filter { key, entry in there[key].map { !$0.isSame(as: entry) } ?? true }
  }

  private func write(_ items: [Pages.Item], _ to: OpenStore) async throws {
    try await to.storage.setEntries(Dictionary(items.map { ($0.key, $0.entry) }) { $1 })
    if context.invocation.has("no-check") { return }
    let now = to.storage.clock.now
    for (key, entry) in try await changed(items) {
      // An entry may expire, or be evicted by a limit, between the two looks.
      if let end = entry.expiry.end, end.timeIntervalSince(now) < 60 { continue }
      throw Failure(
        .failed, "notStored", "the entry was written, and is not there as it was written", key: key,
        place: to.path ?? to.url.text,
        advice: "another program writes to the store, or it has a limit and evicts; --no-check does not look")
    }
  }

  /// Waits until as many seconds have passed as the bytes take at the rate, and looks for signals meanwhile.
  private func keepRate() async throws {
    try context.checkpoint("\(state); run the same command again to go on")
    guard let rate = context.invocation.rate("rate") else { return }
    while true {
      let wait = start + Double(bytes) / Double(rate) - Context.seconds()
      if wait <= 0 { return }
      try await Task.sleep(for: .seconds(min(wait, 0.1)))
      try context.checkpoint("\(state); run the same command again to go on")
    }
  }

  private var state: String {
    "\(isDry ? "would copy" : "copied") \(Units.entries(copied)), \(Units.bytes(bytes))"
  }

  var summary: String {
    let time = Context.seconds() - start
    var rate = ""
    if time > 0.5, copied > 0, !isDry {
      rate = " in \(Timestamp.span(time)), \(Units.bytes(Int(Double(bytes) / time)))/s"
    }
    return state + rate + (same > 0 ? "; \(Units.count(same)) were there already" : "") + "\n"
  }

  var result: JSON {
    .object([
      "copied": .integer(copied), "bytes": .integer(bytes), "same": .integer(same), "dryRun": .bool(isDry),
    ])
  }
}

extension Entry<Data> {
  /// Whether another entry has the same bytes and, to the millisecond, the same expiry.
  func isSame(as other: Entry<Data>) -> Bool { object == other.object && expiry.isSame(as: other.expiry) }
}
