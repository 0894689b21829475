/// A place in a `SerialLine`.
///
/// Unchecked: what changes is only touched under the lock of the line.
@usableFromInline
final class Ticket: AnyTurn, @unchecked Sendable {
  @usableFromInline typealias Waker = @Sendable (Result<Void, any Error>) -> Void

  private let line: SerialLine
  var hasCome = false
  var isAbandoned = false
  /// How to wake who waits, once.
  var waker: Waker?

  init(line: SerialLine) { self.line = line }

  override func ahead() -> [AnyTurn] { line.isWaiting(self) ? [line.turn] : [] }
}
