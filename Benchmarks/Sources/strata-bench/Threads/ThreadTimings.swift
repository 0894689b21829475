import BenchHarness
import Foundation
import Strata

/// The measurements of the suite `threads`.
struct ThreadTimings {
  static var parts: [(String, (Self) -> (URL) throws -> [ThreadRow])] {
    [("memory", Self.memory), ("disk", Self.disk), ("chain", Self.chain), ("tasks", Self.tasks)]
  }

  private let throughput: Throughput

  init(_ throughput: Throughput) { self.throughput = throughput }

  private func memory(_ folder: URL) throws -> [ThreadRow] {
    let memory = MemoryStorage<String, Int>()
    var rows: [ThreadRow] = []
    for keys in ThreadKeys.allCases {
      rows += try self.rows(Name.memory, SyncStore(store: memory), keys, isOurs: true)
      rows += try self.rows(Name.dictionary, LockedDictionary<String, Int>(), keys)
      rows += try self.rows("Dictionary, pthread mutex", PthreadDictionary<String, Int>(), keys)
      rows += try self.rows(Name.nsCache, FoundationCache<String, Int>(), keys)
      rows.append(
        try row(Name.memory, "update", keys, isOurs: true) { thread, number in
          try memory.update(forKey: keys.key(thread, number)) { $0 += 1 }
        })
    }
    return rows
  }

  private func disk(_ folder: URL) throws -> [ThreadRow] {
    let value = Data(repeating: 7, count: 200)
    let threads = Throughput.counts.max() ?? 1
    let disk = try DiskStorage<String>(config: DiskConfig(name: "threads", directory: folder))
    var rows: [ThreadRow] = []
    for keys in ThreadKeys.allCases {
      rows += try self.rows(BackendTimings.disk, Backend(store: disk), value, keys, isOurs: true)
      rows.append(
        try row(BackendTimings.disk, "update", keys, isOurs: true) { thread, number in
          try disk.update(forKey: keys.key(thread, number)) { $0[0] &+= 1 }
        })
    }
    // Waiting for the disk or for another process's lock would hide how threads wait for each other.
    rows += try self.rows(Engine.rocksdb.raw, try RawRocksDB(folder: folder), value, .different)
    let lmdb = try RawLMDB(folder: folder, threads: threads, isSynced: false)
    rows += try self.rows(Engine.lmdb.raw, lmdb, value, .different)
    rows += try self.rows(
      Engine.sqlite.raw, try RawSQLite(folder: folder, threads: threads), value, .different)
    return rows
  }

  private func chain(_ folder: URL) throws -> [ThreadRow] {
    let storage = try chainOfTwo(folder)
    return try ThreadKeys.allCases.flatMap { keys in
      try rows("Storage, memory and disk", SyncStore(store: storage), keys, isOurs: true) + [
        row("Storage, memory and disk", "update", keys, isOurs: true) { thread, number in
          try storage.update(forKey: keys.key(thread, number)) { $0 += 1 }
        }
      ]
    }
  }

  private func tasks(_ folder: URL) throws -> [ThreadRow] {
    let storage = try chainOfTwo(folder).async
    for key in ThreadKeys.all { try waiting { try await storage.setObject(1, forKey: key) } }
    return try ThreadKeys.allCases.flatMap { keys in
      let get = try throughput.tasks { _ = try await storage.object(forKey: keys.key($0, $1)) }
      let put = try throughput.tasks { try await storage.setObject($1, forKey: keys.key($0, $1)) }
      return [("get", get), ("put", put)].map {
        ThreadRow(
          store: "AsyncStorage, memory and disk", operation: $0.0, keys: keys.rawValue, rates: $0.1,
          isOurs: true)
      }
    }
  }

  private func chainOfTwo(_ folder: URL) throws -> Storage<String, Int> {
    try Storage(
      diskConfig: DiskConfig(name: UUID().uuidString, directory: folder),
      transformer: .codable(Int.self))
  }

  /// Measures gets, puts and both of a cache.
  private func rows(
    _ name: String, _ cache: some Cache<String, Int>, _ keys: ThreadKeys, isOurs: Bool = false
  ) throws -> [ThreadRow] {
    _ = try cache.write(1, forKeys: ThreadKeys.all)
    return try [
      row(name, "get", keys, isOurs: isOurs) { _ = try cache.value(forKey: keys.key($0, $1)) },
      row(name, "put", keys, isOurs: isOurs) { try cache.store($1, forKey: keys.key($0, $1)) },
      row(name, "mixed", keys, isOurs: isOurs) { thread, number in
        let key = keys.key(thread, number)
        if number % 10 == 0 { try cache.store(number, forKey: key) } else { _ = try cache.value(forKey: key) }
      },
    ]
  }

  /// Measures gets, puts and both of a store of bytes.
  private func rows(
    _ name: String, _ store: some ByteStore, _ value: Data, _ keys: ThreadKeys, isOurs: Bool = false
  ) throws -> [ThreadRow] {
    try store.store(Dictionary(uniqueKeysWithValues: ThreadKeys.all.map { ($0, value) }), thread: 0)
    return try [
      row(name, "get", keys, isOurs: isOurs) { _ = try store.value(forKey: keys.key($0, $1), thread: $0) },
      row(name, "put", keys, isOurs: isOurs) { try store.store(value, forKey: keys.key($0, $1), thread: $0) },
      row(name, "mixed", keys, isOurs: isOurs) { thread, number in
        let key = keys.key(thread, number)
        if number % 10 == 0 {
          try store.store(value, forKey: key, thread: thread)
        } else {
          _ = try store.value(forKey: key, thread: thread)
        }
      },
    ]
  }

  private func row(
    _ name: String, _ operation: String, _ keys: ThreadKeys, isOurs: Bool = false,
    _ body: @escaping @Sendable (_ thread: Int, _ number: Int) throws -> Void
  ) throws -> ThreadRow {
    ThreadRow(
      store: name, operation: operation, keys: keys.rawValue, rates: try throughput.threads(body),
      isOurs: isOurs)
  }
}
