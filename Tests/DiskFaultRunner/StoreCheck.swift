import Foundation
import StrataDisk

/// Compares the contents of a store with the possible ones.
struct StoreCheck {
  private let scenario: Scenario
  private let model: Model
  private let journal: Journal
  private let aim: String

  init(_ scenario: Scenario, _ model: Model, _ journal: Journal, _ aim: String) {
    self.scenario = scenario
    self.model = model
    self.journal = journal
    self.aim = aim
  }

  mutating func check(_ store: DiskStorage<String>) {
    do {
      var found: Model.State = [:]
      for key in model.keys { found[key] = try value(of: key, in: store) }
      if let objection = model.objection(to: found, evicts: scenario.evicts) { note(objection) }
      let keys = try store.keys()
      if Set(keys) != Set(found.keys) {
        note("keys() is \(keys.sorted()), and \(found.keys.sorted()) can be read")
      }
    } catch { note("\(error)") }
  }

  private func value(of key: String, in store: DiskStorage<String>) throws -> Value? {
    let bytes: Data?
    do { bytes = try store.entryIfPresent(forKey: key)?.object } catch let error as StorageError {
      // The first read of a damaged entry throws. Later reads find it absent.
      guard error == .malformedFileAttributes, key == scenario.strike?.damagedKey else { throw error }
      bytes = try store.entryIfPresent(forKey: key)?.object
    }
    guard let bytes else { return nil }
    if let value = model.values(of: key).compactMap({ $0 }).first(where: { $0.bytes(of: key) == bytes }) {
      return value
    }
    note("\(key) holds \(bytes.count) bytes that it may not hold")
    return nil
  }

  private func note(_ violation: String) { journal.note("\(aim): \(violation)") }
}
