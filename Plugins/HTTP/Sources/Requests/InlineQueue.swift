#if canImport(FoundationNetworking)
  import Foundation

  /// A delegate queue that runs each block at once, on the thread that adds it.
  ///
  /// On Linux, a `URLSession` adds a block for each call of its delegate, from its own serial queue: three and more per
  /// request. A plain queue wakes up a thread for each of them.
  ///
  /// The delegate must return at once. It must not call functions of the session or its tasks, which wait for the
  /// session's queue. It may resume a task, but only if no cancellation handler of that task waits for the session's
  /// queue: Swift holds the task's lock while it runs such a handler, and a resumption takes that lock.
  ///
  /// Unchecked: it has no state of its own, and the superclass is safe to share.
  final class InlineQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }
#endif
