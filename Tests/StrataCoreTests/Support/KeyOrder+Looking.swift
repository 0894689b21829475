@testable import StrataCore

extension KeyOrder {
  /// Whether nobody has a turn or waits for one.
  var isEmpty: Bool {
    table.withLock { $0.turns.isEmpty }
      && (0..<shards.count).allSatisfy { shards[$0].pointee.withLock { $0.isEmpty && !$0.isClosed } }
  }

  /// Whether somebody waits for everything, or has it.
  var hasFence: Bool { table.withLock { !$0.turns.fences.isEmpty } }

  /// How many stand in line for a key behind the one who has it.
  func waiting(key: Key) -> Int { table.withLock { $0.turns.lines[key]?.others.count ?? 0 } }

  /// Whether somebody waits for a turn.
  var isAwaited: Bool {
    table.withLock { table in
      !table.turns.fences.isEmpty || table.turns.lines.values.contains { !$0.others.isEmpty }
    }
  }
}
