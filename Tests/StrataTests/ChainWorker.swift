import Foundation
import Strata
import StrataTestKit
import TestSupport
import Testing

/// A worker that runs random operations on a chain, and records the results. Operations that fail, are cancelled or
/// would deadlock change nothing.
struct ChainWorker: Sendable {
  let target: Target
  let history: ChainHistory
  let name: String
  let seed: UInt64

  private typealias Failing = @Sendable () async throws -> Void

  func work(onThread: Bool) async {
    if onThread, case .sync(let storage) = target {
      do {
        try await TestSupport.onThread {
          var random = SeededGenerator(seed: seed)
          for _ in 0..<6 { attempt { try act(storage, &random) } }
        }
      } catch { Issue.record(error, "seed \(seed)") }
      return
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<6 {
      let step = random.next()
      let task = Task {
        var random = SeededGenerator(seed: step)
        do { try await act(target.async, &random) } catch { check(error) }
      }
      if Int.random(in: 0..<8, using: &random) == 0 { task.cancel() }
      await task.value
    }
  }

  /// Performs one random operation from inside the call of an observer.
  func act(inCallOf storage: Storage<String, Int>) {
    var random = SeededGenerator(seed: seed &+ UInt64(history.now))
    attempt { try act(storage, &random) }
  }

  private func attempt(_ body: () throws -> Void) { do { try body() } catch { check(error) } }

  private func check(_ error: any Error) {
    let isExpected = error is Failure || error is CancellationError || StorageError.deadlock ~= error
    if !isExpected { Issue.record(error, "seed \(seed)") }
  }

  private func key(_ random: inout SeededGenerator) -> String {
    history.keys.randomElement(using: &random) ?? ""
  }

  // MARK: Threads

  private func act(_ storage: Storage<String, Int>, _ random: inout SeededGenerator, depth: Int = 0) throws {
    let (key, start, id) = (key(&random), history.now, history.newID())
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3:
      try storage.setObject(id, forKey: key)
      history.add(.write(id), key, since: start, by: name)
    case 3..<6:
      history.add(.read(try storage.objectIfPresent(forKey: key)), key, since: start, by: name)
    case 6, 7:
      let saw = Locked<Int?>(nil)
      do {
        let step = random.next()
        try storage.update(forKey: key) { value in
          saw.withLock { [value] in $0 = value }
          if depth < 2, step % 2 == 0 {
            var random = SeededGenerator(seed: step)
            attempt { try act(storage, &random, depth: depth + 1) }
          }
          value = id
        }
        history.add(.update(saw: saw.withLock { $0 }, wrote: id), key, since: start, by: name)
      } catch StorageError.notFound {
        history.add(.update(saw: nil, wrote: id), key, since: start, by: name)
      }
    case 8:
      try storage.removeObject(forKey: key)
      history.add(.remove, key, since: start, by: name)
    case 9:
      let both = Set([key, self.key(&random)])
      try storage.setObjects(Dictionary(uniqueKeysWithValues: both.map { ($0, id) }), expiry: nil)
      for key in both { history.add(.write(id), key, since: start, by: name) }
    case 10:
      try storage.removeAll()
      for key in history.keys { history.add(.remove, key, since: start, by: name) }
    default:
      let found = try storage.entries(forKeys: history.keys)
      for key in history.keys { history.add(.read(found[key]?.object), key, since: start, by: name) }
    }
  }

  // MARK: Tasks

  private func act(_ storage: AsyncStorage<String, Int>, _ random: inout SeededGenerator) async throws {
    let (key, start, id) = (key(&random), history.now, history.newID())
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<3:
      try await storage.setObject(id, forKey: key)
      history.add(.write(id), key, since: start, by: name)
    case 3..<6:
      history.add(.read(try await storage.objectIfPresent(forKey: key)), key, since: start, by: name)
    case 6, 7:
      let saw = Locked<Int?>(nil)
      do {
        try await storage.update(forKey: key) { value in
          saw.withLock { [value] in $0 = value }
          value = id
        }
        history.add(.update(saw: saw.withLock { $0 }, wrote: id), key, since: start, by: name)
      } catch StorageError.notFound {
        history.add(.update(saw: nil, wrote: id), key, since: start, by: name)
      }
    case 8:
      try await storage.removeObject(forKey: key)
      history.add(.remove, key, since: start, by: name)
    case 9:
      let both = Set([key, self.key(&random)])
      try await storage.setObjects(Dictionary(uniqueKeysWithValues: both.map { ($0, id) }), expiry: nil)
      for key in both { history.add(.write(id), key, since: start, by: name) }
    case 10:
      try await storage.removeAll()
      for key in history.keys { history.add(.remove, key, since: start, by: name) }
    default:
      let found = try await storage.entries(forKeys: history.keys)
      for key in history.keys { history.add(.read(found[key]?.object), key, since: start, by: name) }
    }
  }
}
