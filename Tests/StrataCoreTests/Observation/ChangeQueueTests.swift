import Foundation
import StrataTestKit
import TestSupport
import Testing

@testable import StrataCore

@Suite("Changes that wait for observers") struct ChangeQueueTests {
  private typealias Event = ObserverList<String>.Event

  /// What an observer of the store and observers of some keys know after a sequence of changes.
  private struct Known: Equatable {
    var stored: Set<String> = []
    var values: [String: Int] = [:]

    mutating func receive(_ event: Event) {
      switch event.change {
      case .add(let key): stored.insert(key)
      case .remove(let key): stored.remove(key)
      case .removeAll: stored = []
      case .removeExpired, .removeInMemory: break
      }
      for (key, change) in event.keys {
        switch change {
        case .edit(_, let after): values[key] = after.cachedObject(as: Self.numbers)
        case .remove: values[key] = nil
        }
      }
    }

    static let numbers = Transformer.codable(Int.self)
  }

  /// Random changes of a store. The keys "a", "b" and "c" have observers.
  private struct Writer {
    let watched = ["a", "b", "c"]
    let unwatched = ["x", "y"]
    var stored: [String: TypeWrapper] = [:]
    var number = 0

    mutating func change(_ random: inout SeededGenerator) -> Event {
      number += 1
      let key = (watched + unwatched).randomElement(using: &random) ?? "a"
      let isWatched = watched.contains(key)
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        let keys = watched.filter { stored[$0] != nil }
        stored = [:]
        return event(.removeAll, removed: keys)
      case 1, 2:
        // Only keys with observers expire: of others the change does not say which.
        let keys = watched.filter { stored[$0] != nil && Bool.random(using: &random) }
        for key in keys { stored[key] = nil }
        return event(.removeExpired, removed: keys)
      case 3: return event(.removeInMemory(key: key), removed: [])
      case 4..<9:
        stored[key] = nil
        return event(.remove(key: key), removed: isWatched ? [key] : [])
      default:
        let value = TypeWrapper.holding(number, transformer: Known.numbers)
        let before = stored.updateValue(value, forKey: key)
        let keys = isWatched ? [key: ObserverList<String>.KeyEvent.edit(before: before, after: value)] : [:]
        return Event(change: .add(key: key), keys: keys, lastID: number)
      }
    }

    private func event(_ change: StorageChange<String>, removed keys: [String]) -> Event {
      Event(
        change: change, keys: Dictionary(uniqueKeysWithValues: keys.map { ($0, .remove) }), lastID: number)
    }
  }

  @Test("whatever is merged, observers end with what is stored")
  func merging() {
    for seed in 0..<UInt64(Soak.rounds(200, soak: 20_000)) {
      var random = SeededGenerator(seed: Soak.seed &+ seed)
      var (queue, writer, known) = (ChangeQueue<String>(), Writer(), Known())
      for _ in 0..<ChangeQueue<String>.limit {
        _ = queue.append(Event(change: .removeInMemory(key: "filler"), keys: [:], lastID: 0))
      }
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        _ = queue.append(writer.change(&random))
        if Int.random(in: 0..<4, using: &random) == 0, let event = queue.popFirst() { known.receive(event) }
        // A value and a removal from memory for each key, and one removal of all or of expired entries.
        #expect(queue.count <= ChangeQueue<String>.limit + 2 * 5 + 2)
      }
      while let event = queue.popFirst() { known.receive(event) }
      #expect(queue.isEmpty && queue.count == 0)
      #expect(
        known.values.keys.sorted() == writer.watched.filter { writer.stored[$0] != nil }, "seed \(seed)")
      for (key, value) in known.values {
        #expect(writer.stored[key]?.cachedObject(as: Known.numbers) == value, "seed \(seed)")
      }
      let unwatched = writer.unwatched.filter { writer.stored[$0] != nil }
      #expect(known.stored.intersection(writer.unwatched).sorted() == unwatched, "seed \(seed)")
    }
  }

  @Test("up to the limit, every change is kept, in order")
  func all() {
    var queue = ChangeQueue<String>()
    for number in 0..<ChangeQueue<String>.limit {
      #expect(queue.append(Event(change: .add(key: "a"), keys: [:], lastID: number)).isEmpty)
    }
    #expect(queue.append(Event(change: .add(key: "a"), keys: [:], lastID: -1)).isEmpty)
    #expect(queue.append(Event(change: .add(key: "a"), keys: [:], lastID: -2)).map(\.lastID) == [-1])
    for number in 0..<ChangeQueue<String>.limit { #expect(queue.popFirst()?.lastID == number) }
    #expect(queue.popFirst()?.lastID == -2 && queue.isEmpty)
  }
}
