/// The progress of a long command, as a line on the terminal: nothing for half a second, then the rate and the
/// remaining time.
struct Progress {
  private let verb: String
  /// The number of entries that there are, if it is known.
  private let total: Int?
  private let now: () -> Double
  private let print: (String) -> Void
  private let start: Double
  private var shown: Double?

  /// - Parameters:
  ///   - verb: what is done to entries, as in “copied”.
  ///   - now: a clock in seconds.
  ///   - print: prints text on the terminal.
  init(_ verb: String, total: Int?, now: @escaping () -> Double, print: @escaping (String) -> Void) {
    self.verb = verb
    self.total = total
    self.now = now
    self.print = print
    start = now()
  }

  /// Shows how much is done, at most ten times a second.
  mutating func show(entries: Int, bytes: Int) {
    let time = now()
    guard time - start >= 0.5, time - (shown ?? 0) >= 0.1 else { return }
    shown = time
    let elapsed = time - start
    var line = "\(verb) \(Units.count(entries))"
    if let total { line += " of \(Units.count(max(total, entries)))" }
    line += " entries, \(Units.bytes(bytes)), \(Units.bytes(Int(Double(bytes) / elapsed)))/s"
    if let total, entries > 0, total > entries {
      line += ", \(Timestamp.span((elapsed / Double(entries) * Double(total - entries)).rounded(.up))) left"
    }
    print("\r\u{1B}[K\(line)")
  }

  /// Removes the line.
  mutating func end() {
    if shown != nil { print("\r\u{1B}[K") }
    shown = nil
  }
}
