import Foundation
import StrataCore
import StrataTestKit

extension Reference {
  /// Calls with `await` on this type. A fault replaces some of them.
  func awaited(
    setEntries: (@Sendable ([String: Entry<Data>]) async throws -> Void)? = nil,
    setIfAbsent: (@Sendable (Data, String, Expiry?) async throws -> Bool)? = nil,
    touch: (@Sendable (String, Expiry) async throws -> Bool)? = nil
  ) -> AwaitedCalls {
    AwaitedCalls(
      expiryIfPresent: { try await self.expiryIfPresent(forKey: $0) },
      removeInMemoryObject: { try await self.removeInMemoryObject(forKey: $0) },
      replaceObject: { try await self.replaceObject($0, forKey: $1, expiry: $2) },
      entries: { try await self.entries(forKeys: $0) },
      setObjects: { try await self.setObjects($0, expiry: $1) },
      removeObjects: { try await self.removeObjects(forKeys: $0) },
      setEntries: setEntries, setIfAbsent: setIfAbsent, touch: touch)
  }
}
