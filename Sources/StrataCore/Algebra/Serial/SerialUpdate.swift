/// An `update` whose closure may suspend, for as long as it runs: how calls from inside it are told from others.
///
/// The tasks that the closure starts inherit this. To wait for those that it waits for would be to wait for itself, and
/// nothing tells them from a `Task {}` that it does not wait for; so all count as inside, but only until the update has
/// ended.
@usableFromInline
final class SerialUpdate: Sendable {
  @TaskLocal private static var innermost: SerialUpdate?

  private let line: SerialLine
  private let outer: SerialUpdate?
  private let hasEnded = Locked(false)

  private init(of line: SerialLine, in outer: SerialUpdate?) {
    self.line = line
    self.outer = outer
  }

  /// Whether this task stands inside an update in a line.
  static func isInside(_ line: SerialLine) -> Bool {
    var update = innermost
    while let next = update {
      if next.line === line, !next.hasEnded.withLock({ $0 }) { return true }
      update = next.outer
    }
    return false
  }

  /// Runs the closure of an update in a line.
  @usableFromInline
  static func inside<R>(_ line: SerialLine, _ body: () async throws -> R) async throws -> R {
    let update = SerialUpdate(of: line, in: innermost)
    defer { update.hasEnded.withLock { $0 = true } }
    return try await $innermost.withValue(update, operation: body)
  }
}
