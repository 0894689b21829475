import Dispatch
import Foundation
import Strata
import TestSupport
import Testing

@testable import StrataZstd

@Suite("zstd: a dictionary store", .endsInTime)
struct DictionaryStoreTests {
  private let values = records(50, seed: 3)

  /// Trains on the thread of the write, so that a test need not wait.
  private func automatic(
    _ store: any SyncStorageAware<String, Data>, after count: Int = 200,
    onEnd: (@Sendable (ZstdTraining.Outcome) -> Void)? = nil
  ) throws -> ZstdDictionaryStore {
    try ZstdDictionaryStore(in: store, training: .automatic(after: count, onEnd: onEnd)) { $0() }
  }

  @Test("an added dictionary is used for new values, and the next process reads them")
  func restart() throws {
    let store = MemoryStorage<String, Data>()
    let first = try ZstdDictionaryStore(in: store)
    let unaided = ByteTransformer.zstd(dictionaries: first)
    let before = try unaided.encode(values[0])
    let dictionary = try ZstdDictionary.trained(on: records(200))
    try first.add(dictionary)
    let after = try unaided.encode(values[0])
    #expect(after.count * 2 < before.count)

    let second = try ZstdDictionaryStore(in: store)
    #expect(second.newest?.id == dictionary.id)
    let reader = ByteTransformer.zstd(dictionaries: second)
    #expect(try [before, after].map(reader.decode) == [values[0], values[0]])
    #expect(try reader.encode(values[0]) == after)
  }

  @Test("no dictionary is removed, and all values remain readable")
  func allNumbers() throws {
    let store = MemoryStorage<String, Data>()
    let writer = try ZstdDictionaryStore(in: store)
    let reader = try ZstdDictionaryStore(in: store)
    let dictionaries = try (1...5).map { try ZstdDictionary.trained(on: records(200, seed: $0)) }
    var written: [Data] = []
    for dictionary in dictionaries {
      try writer.add(dictionary)
      written.append(try ByteTransformer.zstd(dictionaries: writer).encode(values[0]))
    }
    #expect(try Set(reader.ids()) == Set(dictionaries.map(\.id)))
    // The reader was opened before any of the dictionaries was stored.
    for bytes in written {
      #expect(try ByteTransformer.zstd(dictionaries: reader).decode(bytes) == values[0])
    }
  }

  @Test("the error for an unknown dictionary names its number and the store")
  func unknown() throws {
    let dictionary = try ZstdDictionary.trained(on: records(200))
    let bytes = try ByteTransformer.zstd(dictionary: dictionary).encode(values[0])
    let empty = try ZstdDictionaryStore(in: MemoryStorage<String, Data>())
    let error = try #require(throws: StorageError.self) {
      try ByteTransformer.zstd(dictionaries: empty).decode(bytes)
    }
    #expect((error.cause as? CompressionError)?.code == .unknownDictionary)
    #expect(error.message.contains("\(dictionary.id)") && error.message.contains("MemoryStorage"))
  }

  @Test("a failure of the store is not reported as an unknown dictionary")
  func failing() throws {
    let store = DictionaryStorage<String, Data>()
    let dictionaries = try ZstdDictionaryStore(in: store)
    let dictionary = try ZstdDictionary.trained(on: records(200))
    let bytes = try ByteTransformer.zstd(dictionary: dictionary).encode(values[0])
    store.fail(.read, with: Failure.first)
    #expect(throws: Failure.first) { try ByteTransformer.zstd(dictionaries: dictionaries).decode(bytes) }
    #expect(throws: Failure.first) { try ZstdDictionaryStore(in: store) }
  }

  @Test("a dictionary that cannot be stored is not used")
  func notStored() throws {
    let store = DictionaryStorage<String, Data>()
    let dictionaries = try ZstdDictionaryStore(in: store)
    store.fail(.write, with: Failure.first)
    #expect(throws: Failure.first) { try dictionaries.add(.trained(on: records(200))) }
    #expect(dictionaries.newest == nil)
  }

  @Test("a second dictionary with the same number is refused", arguments: [true, false])
  func conflict(_ isConditional: Bool) throws {
    let first = try ZstdDictionary.trained(on: records(200))
    var forged = try ZstdDictionary.trained(on: records(200, seed: 9)).bytes
    forged.replaceSubrange(4..<8, with: first.bytes[4..<8])
    let dictionaries =
      try isConditional
      ? ZstdDictionaryStore(in: MemoryStorage<String, Data>()) : ZstdDictionaryStore(in: DictionaryStorage())
    try dictionaries.add(first)
    let error = try #require(throws: CompressionError.self) { try dictionaries.add(ZstdDictionary(forged)) }
    #expect(error.message.contains("\(first.id)"))
    #expect(dictionaries.newest?.bytes == first.bytes)
    try dictionaries.add(first)
  }

  @Test("damaged or missing dictionaries are reported")
  func damaged() throws {
    let store = MemoryStorage<String, Data>()
    let dictionary = try ZstdDictionary.trained(on: records(200))
    try ZstdDictionaryStore(in: store).add(dictionary)
    let key = ZstdDictionaryStore.key(dictionary.id)
    let other = try ZstdDictionary.trained(on: records(200, seed: 9)).bytes
    for bytes in [Data("nothing".utf8), other] {
      try store.setObject(bytes, forKey: key)
      let error = try #require(throws: CompressionError.self) { try ZstdDictionaryStore(in: store) }
      #expect(error.code == .invalidDictionary)
      #expect(error.message.contains("\(dictionary.id)"))
    }
    try store.removeObject(forKey: key)
    let error = try #require(throws: CompressionError.self) { try ZstdDictionaryStore(in: store) }
    #expect(error.code == .unknownDictionary)
  }

  @Test("automatic training samples, trains and switches; all values remain readable")
  func automatic() throws {
    let outcomes = Locked<[String]>([])
    let store = MemoryStorage<String, Data>()
    let dictionaries = try automatic(store) { outcome in
      if case .switched(let dictionary) = outcome { outcomes.withLock { $0.append("\(dictionary.id)") } }
    }
    let zstd = ByteTransformer.zstd(dictionaries: dictionaries)
    let all = records(500)
    let written = try all.map(zstd.encode)
    let newest = try #require(dictionaries.newest)
    #expect(outcomes.withLock { $0 } == ["\(newest.id)"])
    let (unaided, aided) = (written[..<200].joined().count, written[300...].joined().count)
    #expect(unaided > 2 * aided)
    #expect(try written.map(zstd.decode) == all)
    let restarted = try ByteTransformer.zstd(dictionaries: automatic(store))
    #expect(try written.map(restarted.decode) == all)
  }

  @Test("when the values change, a new dictionary is trained")
  func retrained() throws {
    let dictionaries = try automatic(MemoryStorage<String, Data>())
    let zstd = ByteTransformer.zstd(dictionaries: dictionaries)
    var all = records(600)
    var written = try all.map(zstd.encode)
    let first = try #require(dictionaries.newest)
    let others = (0..<900).map { index in
      Data(
        """
        <order number="\(index * 7919)"><article>screw M\(index % 12)</article><amount unit="piece">\(index % 40)\
        </amount><customer>\(noise(12, seed: UInt64(index)).hex)</customer><state>delivered</state></order>
        """.utf8)
    }
    written += try others.map(zstd.encode)
    all += others
    let second = try #require(dictionaries.newest)
    #expect(second.id != first.id)
    #expect(try Set(dictionaries.ids()) == [first.id, second.id])
    #expect(try written.map(zstd.decode) == all)
  }

  @Test("values with nothing in common get no dictionary, and trainings become rarer")
  func notWorthIt() throws {
    let ends = Locked(0)
    let dictionaries = try automatic(MemoryStorage<String, Data>(), after: 50) { outcome in
      if case .switched = outcome { Issue.record("it switched") }
      ends.withLock { $0 += 1 }
    }
    let zstd = ByteTransformer.zstd(dictionaries: dictionaries)
    for index in 0..<2000 { _ = try zstd.encode(noise(100, seed: UInt64(index))) }
    #expect(dictionaries.newest == nil)
    // A training after 50 values, then after pauses of 50, 100, 200, 400, 800 …
    #expect((2...6).contains(ends.withLock { $0 }))
  }

  @Test("a failed training changes nothing, and reports the reason")
  func failedTraining() throws {
    let store = DictionaryStorage<String, Data>()
    let failures = Locked<[any Error]>([])
    let dictionaries = try automatic(store) { outcome in
      if case .failed(let error) = outcome { failures.withLock { $0.append(error) } }
    }
    store.fail(.write, with: Failure.first)
    let zstd = ByteTransformer.zstd(dictionaries: dictionaries)
    for value in records(210) { #expect(try zstd.decode(zstd.encode(value)) == value) }
    #expect(failures.withLock { $0.count } == 1)
    #expect(failures.withLock { $0.first as? Failure } == .first)
    #expect(dictionaries.newest == nil)
  }

  @Test("a number that is in use is skipped")
  func takenNumber() throws {
    let store = MemoryStorage<String, Data>()
    let all = records(200)
    // The samples of the training: a reservoir of 200 keeps all values in their order.
    let expected = try ZstdDictionary.trained(on: all.indices.filter { $0 % 5 != 4 }.map { all[$0] })
    let other = try ZstdDictionary.trained(on: records(200, seed: 9)).bytes.numbered(expected.id)
    try store.setObject(other, forKey: ZstdDictionaryStore.key(expected.id))
    let dictionaries = try automatic(store)
    let zstd = ByteTransformer.zstd(dictionaries: dictionaries)
    for value in all { _ = try zstd.encode(value) }
    let newest = try #require(dictionaries.newest)
    #expect(newest.id == DictionaryNumber.after(expected.id))
    #expect(try zstd.decode(zstd.encode(values[0])) == values[0])
    #expect(try store.object(forKey: ZstdDictionaryStore.key(expected.id)) == other)
  }

  @Test("many threads write and read during a training in the background")
  func concurrency() throws {
    let ended = DispatchSemaphore(value: 0)
    let dictionaries = try ZstdDictionaryStore(
      in: MemoryStorage<String, Data>(), training: .automatic(after: 300) { _ in ended.signal() })
    let zstd = ByteTransformer.zstd(dictionaries: dictionaries)
    let all = records(2000)
    let wrong = Locked(0)
    DispatchQueue.concurrentPerform(iterations: all.count) { index in
      let back = Result { try zstd.decode(zstd.encode(all[index])) }
      if case .success(all[index]) = back { return }
      wrong.withLock { $0 += 1 }
    }
    #expect(wrong.withLock { $0 } == 0)
    #expect(ended.wait(timeout: .now() + 60) == .success)
    #expect(dictionaries.newest != nil)
  }
}
