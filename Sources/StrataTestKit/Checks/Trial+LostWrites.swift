#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A way to write the key "key".
private enum Write: String, CaseIterable {
  case setObject, setObjects, removeObject, removeObjects, removeAll, update, setIfAbsent, increment

  func perform(_ number: Int, in store: Trial.Store) async throws {
    let value = text("\(number)")
    switch self {
    case .setObject: try await store.setObject(value, forKey: "key", expiry: nil)
    case .setObjects: try await store.setObjects(["key": value, "other": value], expiry: nil)
    case .removeObject: try await store.removeObject(forKey: "key")
    case .removeObjects: try await store.removeObjects(forKeys: ["key", "other"])
    case .removeAll: try await store.removeAll()
    case .update:
      guard let store = store as? any UpdateableStorage<String, Data> else { throw NotPromised() }
      _ = try await store.update(forKey: "key") { $0 = value }
    case .setIfAbsent:
      guard let store = store as? any ConditionalStorage<String, Data> else { throw NotPromised() }
      try await store.removeObject(forKey: "key")
      _ = try await store.setIfAbsent(value, forKey: "key", expiry: nil)
    case .increment:
      guard let store = store as? any CountingStorage<String, Data> else { throw NotPromised() }
      try await store.removeObject(forKey: "key")
      _ = try await store.increment(forKey: "key", by: number)
    }
  }

  /// Whether the key is absent afterwards.
  var removes: Bool { [.removeObject, .removeObjects, .removeAll].contains(self) }
}

extension Trial {
  /// Loses a write, makes a later one of the same key, and then delivers the first.
  func lostWrites() async throws {
    guard let openLossy = subject.openLossy else { throw NotPromised() }
    let later = Write.allCases.map { (Write.setObject, $0) }
    let lost = [Write.setObjects, .removeObject, .removeObjects, .removeAll].map { ($0, Write.setObject) }
    for (lost, later) in later + lost {
      do { try await lose(lost, before: later, in: openLossy(place())) } catch is NotPromised { continue }
    }
  }

  private func lose(_ lost: Write, before later: Write, in lossy: LossyStore) async throws {
    let store = lossy.store
    try await store.setObject(text("0"), forKey: "key", expiry: nil)
    // The store may report a failure, or send the write again.
    try await lossy.lose { do { try await lost.perform(1, in: store) } catch {} }
    var acknowledged: Data??
    do {
      try await later.perform(2, in: store)
      acknowledged = try await store.objectIfPresent(forKey: "key")
    } catch let error where !(error is NotPromised) {
      // The store may refuse to write while the first write is under way.
    }
    try await lossy.deliver()
    guard let acknowledged else { return try await later.perform(2, in: store) }
    let found = try await store.objectIfPresent(forKey: "key")
    try expect(
      found == acknowledged && found != text("1") && (found == nil) == later.removes,
      "when a lost \(lost) was delivered after an acknowledged \(later), the key \"key\" holds \(shown(found))"
    )
  }
}
