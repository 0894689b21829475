import Foundation
import Strata
import StrataTestKit

extension Fault {
  static let ofPersistence = [
    Fault(.reopening, "does not persist removals", "keys() lists 1 too many, among them \"removed\"") {
      bent in
      let (base, removed) = (bent.base, Shared<Set<String>>([]))
      bent.remove = { key in removed.change { _ = $0.insert(key) } }
      bent.read = { removed.value.contains($0) ? nil : try await base.entryIfPresent(forKey: $0) }
      bent.list = { try await base.keys().filter { !removed.value.contains($0) } }
    },
    Fault(.reopening, "lists only keys that the same store object has written", "keys() lacks") { bent in
      let (base, known) = (bent.base, Shared<Set<String>>([]))
      bent.write = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        known.change { _ = $0.insert(key) }
      }
      bent.list = { Array(known.value) }
    },
    Fault(.reopening, "does not persist expiries", "among them \"mortal\"") { bent in
      bent.beforeWrites { value, _ in (value, .never) }
    },
    Fault(.reopening, "keeps durations, but no dates", "has lost its expiry") { bent in
      bent.beforeWrites { value, expiry in
        if case .date = expiry { (value, .never) } else { (value, expiry) }
      }
    },
    Fault(.reopening, "does not write the last change to disk", "keys() lacks") { bent in
      let (base, last) = (bent.base, Shared<(Data, String, Expiry?)?>(nil))
      bent.write = { value, key, expiry in
        let before = last.change { last in
          defer { last = (value, key, expiry) }
          return last
        }
        if let before { try await base.setObject(before.0, forKey: before.1, expiry: before.2) }
      }
    },
    Fault(.severalHandles, "caches values without checking for changes", "through another store") {
      remember(&$0)
    },
    Fault(.severalHandles, "caches the list of keys", "keys() lacks") { bent in
      let (base, listed) = (bent.base, Shared<[String]?>(nil))
      bent.list = {
        let keys = try await base.keys()
        return listed.change { listed in
          listed = listed ?? keys
          return listed ?? []
        }
      }
    },
    Fault(.severalProcesses, "caches values without checking for changes", "another process answers") {
      remember(&$0)
    },
    Fault(
      .severalProcesses, "lists only its own keys", "another process answers keys([])",
      { bent, _ in
        let (base, own) = (bent.base, Shared<Set<String>>([]))
        bent.write = { value, key, expiry in
          own.change { _ = $0.insert(key) }
          try await base.setObject(value, forKey: key, expiry: expiry)
        }
        bent.list = { try await base.keys().filter { key in own.change { $0.contains(key) } } }
      }),
    Fault(
      .severalProcesses, "leaves its lock when it is killed", "a write threw backendFailed",
      { bent, place in
        let (base, lock) = (bent.base, place.url.appending(path: "lock").path)
        @Sendable func locked(_ body: () async throws -> Void) async throws {
          while symlink("\(getpid())", lock) != 0 {
            let owner: String
            // Another process has just released the lock.
            do { owner = try FileManager.default.destinationOfSymbolicLink(atPath: lock) } catch { continue }
            if let owner = pid_t(owner), kill(owner, 0) != 0 {
              throw StorageError.backendFailed
            }
            await Task.yield()
          }
          defer { unlink(lock) }
          try await body()
        }
        bent.write = { value, key, expiry in
          try await locked { try await base.setObject(value, forKey: key, expiry: expiry) }
        }
        bent.writeMany = { values, expiry in
          try await locked { try await base.setObjects(values, expiry: expiry) }
        }
      }),
    // The value found instead of the last one depends on which of its tasks the kill has interrupted.
    Fault(.survivingKill, "acknowledges writes before they are on disk", "after kill") {
      bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        Task { try await base.setObject(value, forKey: key, expiry: expiry) }
      }
    },
    Fault(.survivingKill, "writes a value in two steps", "took the place of") {
      bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        try await base.setObject(value.prefix(value.count / 2), forKey: key, expiry: expiry)
        await dawdle()
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(.survivingKill, "removes before it writes", "took the place of") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        try await base.removeObject(forKey: key)
        await dawdle()
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(.survivingKill, "writes a batch key by key", "a part of the batch is there") { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        for (key, value) in objects {
          try await base.setObject(value, forKey: key, expiry: expiry)
          await dawdle()
        }
      }
    },
    Fault(
      .survivingKill, "took the place of", isBrief: true,
      Subject("writes into the file of each key", except: [.atomicBatches]) { FilePerKey(folder: $0.url) }),
    Fault(
      .fullDisk, "ignores errors of writes", "after a write that did not throw"
    ) { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        do { try await base.setObject(value, forKey: key, expiry: expiry) } catch {}
      }
    },
    Fault(
      .fullDisk, "removes before it writes",
      "entryIfPresent gives nothing for the key \"stored 1\", and not 1000"
    ) {
      bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        try await base.removeObject(forKey: key)
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(.fullDisk, "stores a part of a failed batch", "after a batch threw") { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        for (key, value) in objects.sorted(by: { $0.key < $1.key }) {
          try await base.setObject(value, forKey: key, expiry: expiry)
        }
      }
    },
    Fault(.readOnlyFolder, "ignores errors of writes", "setObject did not throw") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        do { try await base.setObject(value, forKey: key, expiry: expiry) } catch {}
      }
    },
    Fault(.readOnlyFolder, "ignores errors of removals", "removeObject did not throw") { bent in
      let base = bent.base
      bent.remove = { do { try await base.removeObject(forKey: $0) } catch {} }
    },
    Fault(
      .readOnlyFolder, "reports entries as absent that it cannot open", "in a folder that cannot be written"
    ) {
      bent in
      let base = bent.base
      bent.read = { key in
        do {
          guard let entry = try await base.entryIfPresent(forKey: key) else { return nil }
          try await base.setObject(entry.object, forKey: key, expiry: entry.expiry)
          return entry
        } catch { return nil }
      }
    },
  ]

  /// Caches the result of the first read of each key.
  private static func remember(_ bent: inout Bent) {
    let (base, known) = (bent.base, Shared<[String: Entry<Data>?]>([:]))
    bent.read = { key in
      if let entry = known.value[key] { return entry }
      let entry = try await base.entryIfPresent(forKey: key)
      known.change { $0[key] = .some(entry) }
      return entry
    }
    bent.write = { value, key, expiry in
      try await base.setObject(value, forKey: key, expiry: expiry)
      known.change { $0[key] = .some(Entry(object: value)) }
    }
    bent.remove = { key in
      try await base.removeObject(forKey: key)
      known.change { $0[key] = .some(nil) }
    }
  }
}

/// A store with one file for each key, which a write truncates and fills again.
private struct FilePerKey: SyncSimpleStorage {
  let folder: URL

  private func file(_ key: String) -> URL { folder.appending(path: Data(key.utf8).base64EncodedString()) }

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    do { return Entry(object: try Data(contentsOf: file(key))) } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try object.write(to: file(key))
  }
  func removeObject(forKey key: String) throws {
    do { try FileManager.default.removeItem(at: file(key)) } catch CocoaError.fileNoSuchFile {}
  }
  func removeAll() throws { for key in try keys() { try removeObject(forKey: key) } }
  func removeExpiredObjects() throws {}
  func keys() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
      String(decoding: Data(base64Encoded: $0) ?? Data(), as: UTF8.self)
    }
  }
}

/// Yields many times, so that a kill is likely to interrupt it, even if few other tasks run.
private func dawdle() async { for _ in 0..<100 { await Task.yield() } }
