/// A participant in a comparison.
public struct Contender: Sendable {
  /// The work of one thread in one run, both given by number; returns a checksum of the results.
  public typealias Work = @Sendable (_ thread: Int, _ run: Int) throws -> Int

  /// The name in tables.
  public let name: String
  /// The number of operations of one thread in a run, if it differs from the comparison's.
  public let operations: Int?
  /// A closure that is called before each run, and not timed.
  public let prepare: @Sendable () throws -> Void
  /// All operations of a run in one loop, so that calling it costs nothing per operation.
  public let work: Work

  /// Creates a contender.
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
