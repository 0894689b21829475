/// One of those that do the same work in a comparison.
public struct Contender: Sendable {
  /// The work of one thread in one run, which are given by their numbers; returns a checksum of what it saw.
  public typealias Work = @Sendable (_ thread: Int, _ run: Int) throws -> Int

  /// What it is called in tables.
  public let name: String
  /// How many operations one thread does in a run, if not as many as the comparison says.
  public let operations: Int?
  /// Done before each run, untimed.
  public let prepare: @Sendable () throws -> Void
  /// The whole work of a run: a loop, so that the call itself costs nothing.
  public let work: Work

  /// Describes a contender.
  public init(
    _ name: String, operations: Int? = nil, prepare: @escaping @Sendable () throws -> Void = {},
    work: @escaping Work
  ) {
    self.name = name
    self.operations = operations
    self.prepare = prepare
    self.work = work
  }
}
