@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

extension KeyOrder {
  /// Whether no turn runs and no operation waits.
  var isEmpty: Bool {
    table.withLock { $0.turns.isEmpty }
      && (0..<shards.count).allSatisfy { shards[$0].pointee.withLock { $0.isEmpty && !$0.isClosed } }
  }

  /// Whether there is a fence, waiting or running.
  var hasFence: Bool { table.withLock { !$0.turns.fences.isEmpty } }

  /// Returns the number of operations that wait for a key.
  func waiting(key: Key) -> Int { table.withLock { $0.turns.lines[key]?.others.count ?? 0 } }

  /// Whether any operation waits for a turn.
  var isAwaited: Bool {
    table.withLock { table in
      !table.turns.fences.isEmpty || table.turns.lines.values.contains { !$0.others.isEmpty }
    }
  }
}
