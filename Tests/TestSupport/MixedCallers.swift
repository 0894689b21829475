import Foundation
package import StrataCore
import Testing

/// Lets tasks on the cooperative pool use one key of a store at the same time, with and without `await`. Returns when
/// all have ended; hangs if one of them waits for a thread that another one blocks.
package func mixCallers<Store: SyncStorageAware>(
  of store: Store, _ value: @escaping @Sendable (Int) -> Store.Value
) async throws where Store.Key == String {
  try await store.setObject(value(0), forKey: "a", expiry: nil)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for task in 0..<8 * ProcessInfo.processInfo.activeProcessorCount {
      group.addTask {
        for round in 0..<20 {
          switch (task + round) % 8 {
          case 0: try await store.setObject(value(task), forKey: "a", expiry: nil)
          case 1: _ = try await store.entryIfPresent(forKey: "a")
          case 2: try await store.removeObject(forKey: "a")
          case 3: try await store.setObjects(["a": value(task), "b": value(task)], expiry: nil)
          case 4: _ = try blocking { try store.entryIfPresent(forKey: "a") }
          case 5: try blocking { try store.removeObjects(forKeys: ["a", "b"]) }
          default: try blocking { try store.setObject(value(task), forKey: "a", expiry: nil) }
          }
        }
      }
    }
    try await group.waitForAll()
  }
  try blocking { try store.setObject(value(-1), forKey: "a", expiry: nil) }
  #expect(try await store.entryIfPresent(forKey: "a") != nil)
}
