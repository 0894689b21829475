import Foundation
import Strata
import TestSupport
import Testing

/// Thousands of random concurrent operations by threads and tasks, against a simple model of each key.
///
/// In each round, workers of every kind run concurrently, and some order must explain the history of every key. Between
/// rounds nothing runs: time advances, the store is opened again or swept, and its contents must equal the model's.
///
/// A failure prints its seed; `STRATA_SEED=<seed> swift test --filter ModelTests` repeats its operations.
@Suite struct ModelTests {
  private static let seed =
    ProcessInfo.processInfo.environment["STRATA_SEED"].flatMap(UInt64.init)
    ?? UInt64.random(in: 0..<1_000_000)

  @Test("some order of the operations explains every history of reads", arguments: ChainKind.allCases)
  func model(kind: ChainKind) async throws {
    print("ModelTests: \(kind) with STRATA_SEED=\(Self.seed)")
    var run = try ModelRun(kind: kind, seed: Self.seed)
    for round in 0..<60 {
      try await run.actAtOnce(round: round)
      try await run.rest(round: round)
    }
    #expect(run.operations >= 3000)
  }
}

/// The stored values: two types with the same JSON, so that each is also read through a view of the other.
private struct Note: Codable, Sendable { var id: Int }
private struct Label: Codable, Sendable { var id: Int }

private struct ModelRun {
  let chains: Chains
  let seed: UInt64
  var random: SeededGenerator
  var storage: Storage<String, Note>
  var labels: Storage<String, Label>
  /// The value of each key between rounds, with its expiry.
  var model: [String: (id: Int, expiry: Date?)] = [:]
  var operations = 0
  let keys = ["", "a", "b", "../c", "ключ"]
  let ids = Shared(0)
  /// The expiry of each value.
  let expiries = Shared<[Int: Date]>([:])

  init(kind: ChainKind, seed: UInt64) throws {
    chains = Chains(kind)
    self.seed = seed
    random = SeededGenerator(seed: seed)
    storage = try chains.open(Note.self)
    labels = storage.transform(
      to: kind == .compressed ? Transformer<Label>.codable(Label.self).zlib() : .codable(Label.self))
  }

  mutating func actAtOnce(round: Int) async throws {
    let history = History()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        let worker = Worker(
          mode: Mode.allCases[index % 3], storage: storage, labels: labels, keys: keys, ids: ids,
          expiries: expiries,
          now: chains.time.date, history: history,
          random: SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(round * 100 + index)),
          name: "\(round).\(index)")
        group.addTask {
          var worker = worker
          for _ in 0..<10 { try await worker.act() }
        }
      }
      try await group.waitForAll()
    }
    operations += 60
    let events = history.events.value
    for key in keys {
      // The final state counts as one more read, after all others.
      let last = try await storage.async.objectIfPresent(forKey: key)?.id
      let all = (events[key] ?? []) + [HistoryEvent(.read(last), start: .max - 1, end: .max, by: "end")]
      #expect(
        isLinearizable(all, from: model[key]?.id),
        "seed \(seed), round \(round), key \(key), from \(String(describing: model[key]?.id)): \(all)")
      model[key] = last.map { ($0, expiries.value[$0]) }
    }
  }

  /// Checks the store while nothing runs, after an event such as a restart.
  mutating func rest(round: Int) async throws {
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      chains.time.advance(by: 20)
      let now = chains.time.date
      model = model.filter { $0.value.expiry.map { $0 > now } ?? true }
    case 1: try await storage.async.removeExpiredObjects()
    case 2 where chains.kind.outlivesRestart:
      storage = try chains.open(Note.self)
      labels = storage.transform(
        to: chains.kind == .compressed ? Transformer<Label>.codable(Label.self).zlib() : .codable(Label.self))
    case 3:
      for key in keys { try await storage.async.removeInMemoryObject(forKey: key) }
      // This chain has no tier behind the memory that would keep the values.
      if !chains.kind.outlivesRestart { model = [:] }
    default: break
    }
    let listed = try await storage.async.keys()
    #expect(Set(listed) == Set(model.keys) && listed.count == model.count, "seed \(seed), round \(round)")
    for key in keys {
      #expect(
        try await storage.async.objectIfPresent(forKey: key)?.id == model[key]?.id,
        "seed \(seed), round \(round)")
      #expect(try await labels.async.objectExists(forKey: key) == (model[key] != nil))
    }
  }
}

private final class History: Sendable {
  private let time = Shared(0)
  let events = Shared<[String: [HistoryEvent]]>([:])

  var now: Int {
    time.change { time in
      time += 1
      return time
    }
  }

  func add(_ action: HistoryEvent.Action, _ key: String, since start: Int, by name: String) {
    let event = HistoryEvent(action, start: start, end: now, by: name)
    events.change { $0[key, default: []].append(event) }
  }
}

private struct Worker: Sendable {
  let mode: Mode
  let storage: Storage<String, Note>
  let labels: Storage<String, Label>
  let keys: [String]
  let ids: Shared<Int>
  let expiries: Shared<[Int: Date]>
  let now: Date
  let history: History
  var random: SeededGenerator
  let name: String

  mutating func act() async throws {
    let key = keys.randomElement(using: &random) ?? ""
    let start = history.now
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4:
      let (id, expiry) = newValue()
      try await mode.set(storage, key, Note(id: id), expiry.map(Expiry.date))
      history.add(.write(id), key, since: start, by: name)
    case 4:
      let (id, expiry) = newValue()
      try await mode.set(labels, key, Label(id: id), expiry.map(Expiry.date))
      history.add(.write(id), key, since: start, by: name)
    case 5..<10:
      history.add(.read(try await mode.get(storage, key)?.id), key, since: start, by: name)
    case 10..<12:
      history.add(.read(try await mode.get(labels, key)?.id), key, since: start, by: name)
    case 12..<15: try await update(key, start)
    case 15, 16:
      try await mode.remove(storage, key)
      history.add(.remove, key, since: start, by: name)
    case 17:
      try await mode.removeAll(storage)
      for key in keys { history.add(.remove, key, since: start, by: name) }
    case 18:
      let (id, expiry) = newValue()
      let other = keys.randomElement(using: &random) ?? ""
      let both = Set([key, other])
      let notes = Dictionary(uniqueKeysWithValues: both.map { ($0, Note(id: id)) })
      try await mode.setMany(storage, notes, expiry.map(Expiry.date))
      for key in both { history.add(.write(id), key, since: start, by: name) }
    default:
      let found = try await mode.getMany(storage, keys)
      for key in keys { history.add(.read(found[key]?.id), key, since: start, by: name) }
    }
  }

  private func update(_ key: String, _ start: Int) async throws {
    let id = newID()
    let saw = Shared<Int?>(nil)
    let expiries = expiries
    do {
      try await mode.update(storage, key) { note in
        saw.change { $0 = note.id }
        // An update keeps the entry's expiry.
        let old = note.id
        expiries.change { $0[id] = $0[old] }
        note.id = id
      }
      history.add(.update(saw: saw.value, wrote: id), key, since: start, by: name)
    } catch StorageError.notFound {
      history.add(.update(saw: nil, wrote: id), key, since: start, by: name)
    }
  }

  private func newID() -> Int {
    ids.change { id in
      id += 1
      return id
    }
  }

  private mutating func newValue() -> (Int, Date?) {
    let id = newID()
    guard Bool.random(using: &random) else { return (id, nil) }
    let expiry = now.addingTimeInterval(Double.random(in: -5...60, using: &random))
    // A value that has already expired is never seen: to a reader it is a removal.
    guard expiry > now else { return (id, nil) }
    expiries.change { $0[id] = expiry }
    return (id, expiry)
  }
}
