import Foundation
package import StrataCore
import Testing

/// A value that two processes change at once.
package struct Tally: Codable, Equatable, Sendable {
  package var count = 0
  package var last = ""
}

/// Atomic changes of one typed value by two processes: none may be lost.
package enum RivalUpdate: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case update, increment, compareAndSet

  package var testDescription: String { rawValue }

  package typealias Store<Value> = UpdateableStorage<String, Value> & ConditionalStorage<String, Value>

  /// The views of one store that the changes are made through.
  package struct Views: Sendable {
    package typealias Update =
      @Sendable (_ key: String, @escaping @Sendable (inout Tally) throws -> Void) async throws -> Tally

    let numbers: any Store<Int>
    let tallies: any Store<Tally>
    /// Another function that updates a value, instead of that of the protocol.
    let update: Update?

    package init(numbers: some Store<Int>, tallies: some Store<Tally>, update: Update? = nil) {
      self.numbers = numbers
      self.tallies = tallies
      self.update = update
    }
  }

  /// Adds 1 to a value again and again, in this process and in a second one, each with a chain of its own that has read
  /// the value before. Every change must be in the sum.
  ///
  /// - Parameters:
  ///   - name: Distinguishes the cases of a test.
  ///   - place: Returns where the store is, as arguments of `open`. Called in the first process only.
  package func run(
    _ name: String, times: Int = 200, place: () async throws -> [String],
    open: @escaping @Sendable ([String]) async throws -> Views
  ) async throws {
    let title = "\(name) \(rawValue)"
    if let words = SecondProcess.arguments {
      if words[0] != title { return }
      await SecondProcess.run {
        try await change(times, in: open(Array(words[2...])), startingWith: URL(filePath: words[1]))
      }
    }
    let folder = TemporaryFolder()
    let (line, words) = (folder.url.appending(path: "line"), try await place())
    let views = try await open(words)
    try await views.numbers.setObject(0, forKey: "number", expiry: nil)
    try await views.tallies.setObject(Tally(), forKey: "tally", expiry: nil)
    let second = try SecondProcess.start(words: [title, line.path] + words)
    do { try await change(times, in: views, startingWith: line) } catch { Issue.record(error, "\(title)") }
    let end = try await onThread { second.wait() }
    let said = try second.lines
    #expect(end == .exit(0), "\(said.suffix(5))")
    let found = try await sum(in: open(words))
    #expect(found == 2 * times, "\(title): \(found) of \(2 * times)")
  }

  private func sum(in views: Views) async throws -> Int {
    if self == .update { return try await views.tallies.object(forKey: "tally").count }
    return try await views.numbers.object(forKey: "number")
  }

  private func change(_ times: Int, in views: Views, startingWith file: URL) async throws {
    // Memory in front has the value when the changes begin.
    _ = try await sum(in: views)
    let line = ProcessLine(file)
    try line.mark()
    await line.marks(2)
    for _ in 0..<times { try await changeOnce(views.numbers, views.tallies, views.update) }
  }

  private func changeOnce(
    _ numbers: some Store<Int>, _ tallies: some Store<Tally>, _ update: Views.Update?
  ) async throws {
    switch self {
    case .update:
      let add: @Sendable (inout Tally) -> Void = { tally in
        tally.count += 1
        tally.last = "process \(ProcessInfo.processInfo.processIdentifier)"
      }
      if let update {
        _ = try await update("tally", add)
      } else {
        try await tallies.update(forKey: "tally", add)
      }
    case .increment: try await numbers.increment(forKey: "number")
    case .compareAndSet:
      while true {
        let seen = try await numbers.object(forKey: "number")
        if try await numbers.compareAndSet(seen + 1, ifEqual: seen, forKey: "number") { break }
      }
    }
  }
}

/// A synchronous store whose functions are called without `await`.
package struct WithoutAwait<Base: SyncUpdateableStorage & SyncConditionalStorage>: UpdateableStorage,
  ConditionalStorage
{
  let base: Base

  package init(_ base: Base) { self.base = base }

  package func read(_ key: Base.Key, _ how: How) async throws -> Entry<Base.Value>? {
    try onBase { try $0.read(key, how) }
  }
  package func change(_ key: Base.Key, _ change: StoreChange<Base.Value>, _ how: How) async throws -> Bool {
    try onBase { try $0.change(key, change, how) }
  }
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Base.Key> {
    try onBase { try $0.list(after: cursor, limit: limit) }
  }
  package func clear(_ extent: StoreExtent) async throws { try onBase { try $0.clear(extent) } }
  package func update(
    forKey key: Base.Key, _ modify: (inout Base.Value) throws -> Void
  ) async throws -> Base.Value {
    try onBase { try $0.update(forKey: key, modify) }
  }

  private func onBase<R>(_ body: (Base) throws -> R) rethrows -> R { try body(base) }
}
