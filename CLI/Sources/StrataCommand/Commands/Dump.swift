import CommandTable
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Verb {
  static let dump = Verb(
    Command(
      "dump", "print all entries as JSON lines",
      details: """
        A line is {"key":…,"expires":…,"value":{"text":…}}, or {"base64":…} for bytes that are no text, so that nothing
        is lost. The bytes are those that are stored: compressed or encrypted if a chain wrote them so.
        """,
      arguments: [.store, .pattern], options: .reading)
  ) { context in
    let store = try context.open("STORE")
    let pattern = try context.invocation.argument("PATTERN").map { text throws in try Pattern(text) }
    context.watchSignals()
    if context.output.form == .json { context.output.beginRecords() }
    var (count, bytes) = (0, 0)
    // On a terminal the entries themselves show the progress.
    var progress = context.terminal.hasOutput ? nil : context.progress("wrote")
    var pages = Pages(of: store, matching: pattern)
    while let items = try await pages.next() {
      try context.checkpoint("wrote \(Units.entries(count))")
      for (key, entry) in items {
        let record = Record.json(key, entry)
        try context.output.record(record, text: record.compact)
      }
      try context.output.flush()
      count += items.count
      bytes += items.byteCount
      progress?.show(entries: count, bytes: bytes)
    }
    progress?.end()
    try context.output.endRecords()
    try context.output.say("wrote \(Units.entries(count))")
  }

  static let load = Verb(
    Command(
      "load", "store the entries of JSON lines, as dump prints them",
      details: "Entries with the same keys are replaced. Entries whose expiry is past are omitted.",
      arguments: [
        .store,
        Argument(
          "FILE", "the file with the lines; standard input without one", count: .optional, completion: .file),
      ],
      options: .store)
  ) { context in
    var input = try Input(context.invocation.argument("FILE") ?? "-")
    let store = try context.open("STORE", .create)
    context.watchSignals()
    var loading = Loading(store: store)
    var progress = context.progress("stored")
    while let line = try input.line() {
      try await loading.add(line)
      progress.show(entries: loading.stored, bytes: loading.bytes)
    }
    try await loading.store()
    progress.end()
    if !input.hasEnded {
      try context.checkpoint("stored \(Units.entries(loading.stored)), up to line \(loading.lines)")
    }
    try context.output.document(loading.json, text: loading.text)
  }
}

/// Stores the entries of lines in batches of bounded memory.
private struct Loading {
  private let target: OpenStore
  private(set) var lines = 0
  private(set) var stored = 0
  private(set) var bytes = 0
  private var expired = 0
  private var batch: [String: Entry<Data>] = [:]
  private var batchBytes = 0

  init(store: OpenStore) { target = store }

  mutating func add(_ line: [UInt8]) async throws {
    lines += 1
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
    let item: Pages.Item
    do { item = try Record.entry(line) } catch {
      var failure = Failure(error)
      failure.place = "line \(lines)"
      failure.advice = "the lines before it are stored"
      try await store()
      throw failure
    }
    if item.entry.expiry.isExpired(by: target.storage.clock) {
      expired += 1
      return
    }
    batch[item.key] = item.entry
    batchBytes += item.key.utf8.count + item.entry.object.count
    if batch.count >= target.batch || batchBytes >= target.batchBytes { try await store() }
  }

  mutating func store() async throws {
    if batch.isEmpty { return }
    try await target.storage.setEntries(batch)
    stored += batch.count
    bytes += batchBytes
    batch = [:]
    batchBytes = 0
  }

  var json: JSON { .object(["stored": .integer(stored), "expired": .integer(expired)]) }
  var text: String {
    "stored \(Units.entries(stored))\(expired > 0 ? "; \(Units.count(expired)) had expired" : "")\n"
  }
}
