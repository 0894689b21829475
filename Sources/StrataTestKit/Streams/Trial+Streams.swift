#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The check of `streams`: values that are written or read a part at a time are values like all others.
extension Trial {
  func streams() async throws {
    try await elsewhere { try await $0.absentStreams() }
    try await elsewhere { try await $0.streamedValues() }
    try await elsewhere { try await $0.streamsAndObjects() }
    try await elsewhere { try await $0.streamedFiles() }
    try await elsewhere { try await $0.failingSources() }
    try await elsewhere { try await $0.stagedValues() }
    try await elsewhere { try await $0.conditionalCommits() }
    try await elsewhere { try await $0.concurrentStreams() }
    if !subject.except.contains(.expiry) { try await elsewhere { try await $0.streamExpiry() } }
    if !subject.except.contains(.ownExpiry) { try await ownExpiryOfStreams() }
    if subject.hugeValueSize < 64 << 20 { try await elsewhere { try await $0.tooLargeStream() } }
    if !subject.except.contains(.reopening) { try await elsewhere { try await $0.reopenedStreams() } }
    if try await open().keepsParts { try await elsewhere { try await $0.memoryOfStreams() } }
  }

  /// Runs a part of a check at a location of its own.
  func elsewhere(_ part: (Trial) async throws -> Void) async throws {
    let trial = try Trial(of: promise, on: subject)
    defer { trial.cleanUp() }
    try await part(trial)
  }

  /// Returns a number of bytes, of which a brief check uses an eighth if the store has no parts: a large value then
  /// only takes time.
  func span(_ bytes: Int, in store: Store) -> Int {
    size(store.keepsParts || Effort.current == .full ? bytes : bytes / 8)
  }

  /// Sizes at which a store may begin to treat a value in another way.
  private func sizes(for store: Store) -> [Int] {
    let part = StoredBytes.partSize
    var all = [0, 1, 63, 64, 4097, 70_000, part + 1]
    if span(part, in: store) == size(part) { all += [part - 1, part, 3 * part + 100] }
    let more = Effort.current == .full ? [2 * part, 2 * part + 1, 5 * part - 1, 8 * part, 9 * part + 5] : []
    return Set((all + more).map(size)).sorted()
  }

  private func absentStreams() async throws {
    let store = try await open()
    try await expectStream(nil, at: "a", in: store, "in an empty store")
    try await store.write(forKey: "a", from: PartSource(text("one")))
    for key in ["b", "", "aa"] {
      try await expectStream(nil, at: key, in: store, "in a store that holds only the key \"a\"")
    }
  }

  /// Writes values of all sizes in parts of all sizes, and reads them in all ways.
  private func streamedValues() async throws {
    let store = try await open()
    let sizes = sizes(for: store)
    try await store.setObject(text("neighbour"), forKey: "neighbour", expiry: nil)
    for (number, count) in sizes.enumerated() {
      let (value, key) = (MarkedValue(number, count: count), "size \(count)")
      let parts = number % 2 == 0 ? PartSource.sizes : [max(1, count / 3)]
      try await store.write(forKey: key, from: PartSource(value.data, sizes: parts))
      try await expectStream(value, at: key, in: store, "after write(from:)")
      try await expectWhole(value, at: key, in: store, "after write(from:)")
    }
    let names = sizes.map { "size \($0)" }
    try await expectKeys(names + ["neighbour"], in: store, "after write(from:)")
    for name in names.dropFirst() { try await store.removeObject(forKey: name) }
    for name in names.dropFirst() {
      try await expectStream(
        nil, at: name, in: store, "after the removal of a value that was written in parts")
      try await expect(nil, at: name, in: store, "after the removal of a value that was written in parts")
    }
    try await expectKeys([names[0], "neighbour"], in: store, "after removals")
    let letters = MarkedValue(5, count: 200)
    try await store.write(forKey: names[0], from: Letters(data: letters.data))
    try await expectStream(letters, at: names[0], in: store, "written byte by byte")
    try await store.removeAll()
    try await expectStream(nil, at: names[0], in: store, "after removeAll")
    try await expectKeys([], in: store, "after removeAll")
  }

  /// Values of one key that are written in turn by `setObject` and in parts.
  private func streamsAndObjects() async throws {
    let store = try await open()
    let large = span(StoredBytes.partSize + 700, in: store)
    for (number, count) in [300, large, 90, 0, large, 100_000].map(size).enumerated() {
      let written = MarkedValue(2 * number, count: count)
      try await store.write(forKey: "a", from: PartSource(written.data))
      try await expectWhole(written, at: "a", in: store, "written in parts in place of another value")
      let set = MarkedValue(2 * number + 1, count: count)
      try await store.setObject(set.data, forKey: "a", expiry: nil)
      try await expectStream(set, at: "a", in: store, "after setObject in place of a value in parts")
    }
    let last = MarkedValue(100, count: large)
    try await store.write(forKey: "a", from: PartSource(last.data))
    try await store.setObjects(["b": text("b")], expiry: nil)
    try await expectWhole(last, at: "a", in: store, "after a batch of other keys")
    if let updated = store as? any UpdateableStorage<String, Data>, !subject.except.contains(.updating) {
      try await updated.update(forKey: "a") { $0 = Data($0.prefix(100)) }
      try await expectStream(MarkedValue(100, count: 100), at: "a", in: store, "after an update to 100 bytes")
    }
    try await store.setObjects(["a": text("a")], expiry: nil)
    try expect(
      try await store.read(forKey: "a").data(), text("a"), "read", "a",
      "after a batch in place of a value in parts")
  }

  private func reopenedStreams() async throws {
    let sizes = [0, 1, 5000, 2 * StoredBytes.partSize + 77]
    let values = sizes.enumerated().map { MarkedValue($0, count: size($1)) }
    try await writeAll(values)
    let store = try await open()
    for value in values {
      let key = "reopened \(value.number)"
      try await expectStream(value, at: key, in: store, "in a store that is opened again")
      try await expectWhole(value, at: key, in: store, "in a store that is opened again")
    }
  }

  private func writeAll(_ values: [MarkedValue]) async throws {
    let store = try await open()
    for value in values {
      try await store.write(forKey: "reopened \(value.number)", from: PartSource(value.data))
    }
  }

  /// A value that is larger than the store must accept is stored, or the write throws and the old value stays.
  private func tooLargeStream() async throws {
    let store = try await open()
    let (old, new) = (MarkedValue(1, count: 50), MarkedValue(2, count: 2 * subject.hugeValueSize))
    try await store.write(forKey: "limited", from: PartSource(old.data))
    do { try await store.write(forKey: "limited", from: PartSource(new.data)) } catch {
      return try await expectStream(
        old, at: "limited", in: store, "after a write of \(new.count) bytes threw")
    }
    try await expectStream(new, at: "limited", in: store, "after a write of \(new.count) bytes")
  }
}

/// The bytes of a value, one at a time.
private struct Letters: AsyncSequence {
  let data: Data

  func makeAsyncIterator() -> Iterator { Iterator(rest: data[...]) }

  struct Iterator: AsyncIteratorProtocol {
    var rest: Data

    mutating func next() async throws -> UInt8? { rest.popFirst() }
  }
}
