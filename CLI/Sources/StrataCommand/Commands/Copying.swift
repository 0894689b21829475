import CommandTable
import StrataCore

/// A running copy: counts entries, limits the rate, and ends between two batches if the command is interrupted.
struct Copying {
  private let context: Context
  /// The target; `nil` in a dry run whose target does not exist.
  private let to: OpenStore?
  private let isDry: Bool
  /// The limit in bytes per second, or `nil` for none.
  private let rate: Int?
  private var copied = 0
  private var same = 0
  private var bytes = 0
  private var start = 0.0

  init(context: Context, to: OpenStore?, isDry: Bool) {
    self.context = context
    self.to = to
    self.isDry = isDry
    rate = context.invocation.rate("rate")
  }

  /// Copies all entries that match the pattern. While a batch is written, the next one is read and the previous one
  /// checked.
  mutating func run(_ from: OpenStore) async throws {
    let pattern = try context.invocation.text("pattern").map { text throws in try Pattern(text) }
    let total = context.showsProgress ? try await Pages.count(of: from, matching: pattern) : nil
    let transfer = Transfer(to: to, compares: try await hasEntries())
    let isChecked = !isDry && !context.invocation.has("no-check")
    let large = LargeTransfer(
      from: from, to: to, compares: transfer.compares, isDry: isDry, isChecked: isChecked)
    var progress = context.progress(isDry ? "read" : "copied", total: total)
    start = Context.seconds()
    // With a limit on the rate, a batch takes about a quarter of a second.
    let pageBytes = min(to?.batchBytes ?? 4 << 20, (rate ?? .max) / 4)
    var (batch, pages) = try await transfer.read(
      Pages(
        of: from, matching: pattern, bytes: pageBytes,
        separatesLarge: from.keepsParts && to?.keepsParts != false && from.mayHaveLarge()))
    var isComplete = true
    try await withThrowingTaskGroup(of: Void.self) { checks in
      while let current = batch, Signals.pending == nil {
        let rest = pages
        async let following = transfer.read(rest)
        if !isDry { try await transfer.write(current.items) }
        add(current)
        if isChecked {
          // The check of a batch may continue while the next batch is written, which keeps two processors busy. Only
          // one check runs at a time, since its batch stays in memory.
          _ = try await checks.next()
          checks.addTask { try await transfer.check(current.items) }
        }
        isComplete = try await copy(current.large, large, &progress)
        (batch, pages) = try await following
        progress.show(entries: copied + same, bytes: bytes)
        try await keepRate(&progress)
      }
      try await checks.waitForAll()
    }
    progress.end()
    if batch != nil || !isComplete {
      try context.checkpoint("\(state); run the same command again to continue")
    }
  }

  /// Copies large values one after the other. Returns `false` if the command was interrupted.
  private mutating func copy(
    _ keys: [String], _ transfer: LargeTransfer, _ progress: inout Progress
  ) async throws -> Bool {
    for key in keys {
      if Signals.pending != nil { return false }
      let before = bytes
      let outcome: LargeTransfer.Outcome
      do {
        outcome = try await transfer.run(key) { count in
          bytes += count
          progress.show(entries: copied + same, bytes: bytes)
          try await keepRate(&progress)
          try Signals.check("")
        }
      } catch is Interrupted {
        bytes = before
        return false
      }
      bytes = before
      switch outcome {
      case .copied(let count):
        copied += 1
        bytes += count + key.utf8.count
      case .same: same += 1
      case .skipped: break
      }
    }
    return true
  }

  private mutating func add(_ batch: Transfer.Batch) {
    copied += batch.items.count
    same += batch.same
    bytes += batch.items.byteCount
  }

  private func hasEntries() async throws -> Bool {
    guard let to else { return false }
    var pages = Pages(of: to)
    do { return try await pages.nextKeys(1) != nil } catch StorageError.notFound where isDry {
      // The first request to a server shows that the store does not exist.
      return false
    }
  }

  /// Waits until the bytes copied so far no longer exceed the rate, or the command is interrupted.
  private func keepRate(_ progress: inout Progress) async throws {
    guard let rate else { return }
    while Signals.pending == nil {
      let wait = start + Double(bytes) / Double(rate) - Context.seconds()
      if wait <= 0 { return }
      try await Task.sleep(for: .seconds(min(wait, 0.1)))
      progress.show(entries: copied + same, bytes: bytes)
    }
  }

  private var state: String {
    "\(isDry ? "would copy" : "copied") \(Units.entries(copied)), \(Units.bytes(bytes))"
  }

  var summary: String {
    let time = Context.seconds() - start
    var speed = ""
    if time > 0.5, copied > 0, !isDry {
      speed = " in \(Timestamp.span(time)), \(Units.bytes(Int(Double(bytes) / time)))/s"
    }
    return state + speed + (same > 0 ? "; \(Units.count(same)) were there already" : "") + "\n"
  }

  var result: JSON {
    .object([
      "copied": .integer(copied), "bytes": .integer(bytes), "same": .integer(same), "dryRun": .bool(isDry),
    ])
  }
}
