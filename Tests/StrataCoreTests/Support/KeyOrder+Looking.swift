@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder

extension KeyOrder {
  /// Whether no turn runs and no operation waits.
  var isEmpty: Bool {
    table.withLock { $0.isEmpty }
      && (0..<shards.count).allSatisfy { shards[$0].pointee.withLock { $0.isEmpty && !$0.isClosed } }
  }

  /// Whether there is a fence, waiting or running.
  var hasFence: Bool { table.withLock { !$0.fences.isEmpty } }

  /// Returns the number of operations that wait for a key.
  func waiting(key: Key) -> Int { table.withLock { $0.queues[key]?.others.count ?? 0 } }

  /// Whether any operation waits for a turn.
  var isAwaited: Bool {
    table.withLock { table in
      !table.fences.isEmpty || table.queues.values.contains { !$0.others.isEmpty }
    }
  }
}
