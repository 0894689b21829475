/// An `update` in progress whose closure may suspend. It identifies calls from inside the closure.
///
/// Tasks that the closure starts inherit it. If the closure waits for such a task, a call in that task would wait for
/// itself. Such a task cannot be distinguished from a `Task {}` that is not waited for, so all of them count as inside
/// until the update has ended.
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

  /// Returns whether this task is inside an update of a queue.
  static func isInside(_ line: SerialLine) -> Bool {
    var update = innermost
    while let next = update {
      if next.line === line, !next.hasEnded.withLock({ $0 }) { return true }
      update = next.outer
    }
    return false
  }

  /// Runs the closure of an update of a queue.
  @usableFromInline
  static func inside<R>(_ line: SerialLine, _ body: () async throws -> R) async throws -> R {
    let update = SerialUpdate(of: line, in: innermost)
    defer { update.hasEnded.withLock { $0 = true } }
    return try await $innermost.withValue(update, operation: body)
  }
}
