import StrataObservation
import StrataTestKit
import TestSupport
import Testing

/// Random changes by three writers: a thread, a task and another view. What an observer sees is checked against the
/// order in which the changes took effect.
@Suite("Stored values, many writers: Soak", .endsInTime)
@MainActor
struct ManyWritersSoakTests {
  /// Where the values are.
  nonisolated enum Tiers: CaseIterable {
    case memory, memoryAndDisk, disk

    func storage() throws -> Storage<String, Int> {
      let memory = MemoryStorage<String, TypeWrapper>()
      if self == .memory { return Storage(TypeWrapperStorage(memory, transformer: .codable(Int.self))) }
      let disk = try DiskStorage<String>(
        config: DiskConfig(name: "numbers", directory: TemporaryFolder().url))
      if self == .disk { return Storage(back: disk, transformer: .codable(Int.self)) }
      return Storage(front: memory, back: disk, transformer: .codable(Int.self))
    }

    /// The number of changes, of all writers together.
    var changes: Int {
      self == .memory ? Soak.rounds(30_000, soak: 300_000) : Soak.rounds(3000, soak: 130_000)
    }
  }

  @Test("no change is lost, and none is told twice", arguments: Tiers.allCases)
  func changes(_ tiers: Tiers) async throws {
    let store = try tiers.storage()
    let log = ChangeLog()
    store.addObserver(log, forKey: "a") { log, _, change in
      if case .edit(_, let after) = change { log.add(after) } else { log.add(nil) }
    }
    let value = StoredValue(store, forKey: "a")
    let all = StoredCollection(store)
    await value.settled()
    while all.hasMore { await all.loadMore() }
    let one = Watcher { value.value }
    let many = Watcher { all.elements.map { Pair(key: $0.key, number: $0.value) } }

    let share = tiers.changes / 3
    async let thread: Void = onThread { try write(0, share) { try $0.apply(to: store) } }
    async let task: Void = writeAwaiting(1, share) { try await $0.apply(to: store.async) }
    async let view: Void = writeAwaiting(2, share) { try await $0.apply(to: store.transform(to: Int64.self)) }
    _ = try await (thread, task, view)

    let last = try await store.objectIfPresent(forKey: "a")
    await until { value.value == last && all["a"] == last && one.seen.last == last }
    await until { many.seen.last?.first { $0.key == "a" }?.number == last }
    await value.refresh()
    await all.refresh()
    #expect(log.fault(in: one.seen) == nil, "seed \(Soak.seed)")
    #expect(zip(many.seen, many.seen.dropFirst()).allSatisfy { $0 != $1 }, "seed \(Soak.seed)")
    // The other key's changes are seen, too.
    let seen = many.seen.map { $0.first { $0.key == "a" }?.number }
    let changes = seen.indices.filter { $0 == 0 || seen[$0] != seen[$0 - 1] }.map { seen[$0] }
    #expect(log.fault(in: changes) == nil, "seed \(Soak.seed)")
    #expect(value.phase.isLoaded && all.phase.isLoaded)
    print("\(tiers): \(log.count) changes, seen \(one.seen.count) and \(many.seen.count) times")
  }

  @Test("values that write, too, agree with the store in the end")
  func writers() async throws {
    let store = try Tiers.memoryAndDisk.storage()
    let values = (0..<3).map { _ in StoredValue(store, forKey: "a") }
    for value in values { await value.settled() }
    var random = SeededGenerator(seed: Soak.seed)
    async let task: Void = writeAwaiting(1, Soak.rounds(1000, soak: 50_000)) {
      try await $0.apply(to: store.async)
    }
    for number in 1...Soak.rounds(1000, soak: 50_000) {
      let value = values.randomElement(using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: await set(value, number)
      case 1: value?.value = nil
      default: value?.value = number
      }
      if Int.random(in: 0..<4, using: &random) == 0 { await Task.yield() }
    }
    try await task
    for value in values { await value.refresh() }
    let last = try await store.objectIfPresent(forKey: "a")
    await until { values.allSatisfy { $0.value == last && $0.phase.isLoaded } }
  }

  private func set(_ value: StoredValue<Int>?, _ number: Int) async {
    do { try await value?.set(number) } catch { Issue.record(error) }
  }
}

private struct Pair: Equatable, Sendable {
  let key: String
  let number: Int
}

/// One change of the key "a", to a value that no other change has, or a removal.
private struct Change {
  enum Kind: CaseIterable { case set, setMany, update, remove, removeAll }
  let kind: Kind
  let number: Int

  init(by writer: Int, _ index: Int, _ random: inout SeededGenerator) {
    number = writer * 1_000_000_000 + index
    kind =
      Int.random(in: 0..<50, using: &random) == 0
      ? .removeAll : Kind.allCases.dropLast().randomElement(using: &random) ?? .set
  }

  func apply(to store: Storage<String, Int>) throws {
    switch kind {
    case .set: try store.setObject(number, forKey: "a")
    case .setMany: try store.setObjects(["a": number, "b": number])
    case .update: do { try store.update(forKey: "a") { $0 = number } } catch StorageError.notFound {}
    case .remove: try store.removeObject(forKey: "a")
    case .removeAll: try store.removeAll()
    }
  }

  func apply<Number: BinaryInteger & Sendable>(
    to store: some StorageAware<String, Number> & UpdateableStorage<String, Number>
  ) async throws {
    let number = Number(number)
    switch kind {
    case .set: try await store.setObject(number, forKey: "a")
    case .setMany: try await store.setObjects(["a": number, "b": number])
    case .update: do { try await store.update(forKey: "a") { $0 = number } } catch StorageError.notFound {}
    case .remove: try await store.removeObject(forKey: "a")
    case .removeAll: try await store.removeAll()
    }
  }
}

private func write(_ writer: Int, _ count: Int, _ apply: (Change) throws -> Void) throws {
  var random = SeededGenerator(seed: Soak.seed &+ UInt64(writer))
  for index in 0..<count { try apply(Change(by: writer, index, &random)) }
}

@concurrent
private func writeAwaiting(
  _ writer: Int, _ count: Int, _ apply: @Sendable (Change) async throws -> Void
) async throws {
  var random = SeededGenerator(seed: Soak.seed &+ UInt64(writer))
  for index in 0..<count { try await apply(Change(by: writer, index, &random)) }
}

/// The values that were stored, in order; `nil` for a removal.
private final class ChangeLog: Sendable {
  private let values = Shared<[Int?]>([])

  var count: Int { values.value.count }

  func add(_ value: Int?) { values.change { $0.append(value) } }

  /// Returns what is wrong with a sequence that somebody has seen. It must be a part of the changes, in their order,
  /// without a repetition, and end with the last one.
  func fault(in seen: [Int?]) -> String? {
    let values = [nil] + values.value
    var place = -1
    for (index, value) in seen.enumerated() {
      if index > 0, value == seen[index - 1] {
        return "\(value.map(String.init) ?? "nothing") was told twice"
      }
      guard let next = values[(place + 1)...].firstIndex(of: value) else {
        return "\(value.map(String.init) ?? "nothing") came too late, or was never stored"
      }
      place = next
    }
    return seen.last == values.last ? nil : "the last change was lost"
  }
}
