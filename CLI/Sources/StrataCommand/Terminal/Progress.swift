/// The line on the terminal that shows the progress of a long command. It appears after half a second, and has the rate
/// and the remaining time.
struct Progress {
  private let verb: String
  /// The number of entries in all, or of bytes if only these are shown; `nil` if it is unknown.
  private let total: Int?
  private let now: () -> Double
  private let print: (String) -> Void
  private let start: Double
  private var shown: Double?

  /// - Parameters:
  ///   - verb: The verb of the line, such as “copied” for “copied 50 entries”.
  ///   - now: Returns the time in seconds.
  ///   - print: Prints text on the terminal.
  init(_ verb: String, total: Int?, now: @escaping () -> Double, print: @escaping (String) -> Void) {
    self.verb = verb
    self.total = total
    self.now = now
    self.print = print
    start = now()
  }

  /// Shows how many entries and bytes are done. Prints at most ten times a second.
  mutating func show(entries: Int, bytes: Int) {
    guard let elapsed = elapsed() else { return }
    var line = "\(verb) \(Units.count(entries))"
    if let total { line += " of \(Units.count(max(total, entries)))" }
    printLine(line + " entries, \(Units.bytes(bytes))", bytes: bytes, done: entries, elapsed)
  }

  /// Shows how many bytes are done, of as many as the total says. Prints at most ten times a second.
  mutating func show(bytes: Int) {
    guard let elapsed = elapsed() else { return }
    var line = "\(verb) \(Units.bytes(bytes))"
    if let total { line += " of \(Units.bytes(max(total, bytes)))" }
    printLine(line, bytes: bytes, done: bytes, elapsed)
  }

  /// Prints a line with the rate, and with the remaining time if it is known how much of the total is done.
  private func printLine(_ line: String, bytes: Int, done: Int, _ elapsed: Double) {
    var line = line + ", \(Units.bytes(Int(Double(bytes) / elapsed)))/s"
    if let total, done > 0, total > done {
      line += ", \(Timestamp.span((elapsed / Double(done) * Double(total - done)).rounded(.up))) left"
    }
    print("\r\u{1B}[K\(line)")
  }

  /// Returns the seconds since the start if it is time to show the line.
  private mutating func elapsed() -> Double? {
    let time = now()
    guard time - start >= 0.5, time - (shown ?? 0) >= 0.1 else { return nil }
    shown = time
    return time - start
  }

  /// Removes the line from the terminal.
  mutating func end() {
    if shown != nil { print("\r\u{1B}[K") }
    shown = nil
  }
}
