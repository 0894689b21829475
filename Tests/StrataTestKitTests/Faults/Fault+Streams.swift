import Foundation
import Strata
import StrataTestKit

extension Fault {
  static let ofStreams: [Fault] =
    [
      inParts(.streams, "stores what a failed source has written", "after a failure of the source") {
        store, _ in
        let base = store.base
        store.discard = { staged in
          do { try await base.setObject(staged.data, forKey: staged.key) } catch {}
        }
      },
      inParts(.streams, "shows parts as they arrive", "of the source") { store, _ in
        let base = store.base
        store.append = { try await base.setObject($0.data, forKey: $0.key) }
      },
      inParts(.streams, "omits the last byte", "gives the range 0..<0 of 0 bytes") {
        store, _ in
        let base = store.base
        store.commit = { staged, _ in
          try await base.setObject(staged.data.dropLast(), forKey: staged.key, expiry: staged.expiry)
          return true
        }
      },
      inParts(.streams, "reads nothing behind the first MiB", "after write(from:)") { store, _ in
        let base = store.base
        store.open = { key, range in
          guard let entry = try await base.read(key, []) else { return nil }
          return InParts.stream(entry.object.prefix(1 << 20), range, entry.expiry)
        }
      },
      inParts(.streams, "repeats the first part", "wrong bytes from position 100000") { store, _ in
        let base = store.base
        store.open = { key, range in
          guard let data = try await base.objectIfPresent(forKey: key) else { return nil }
          return InParts.stream(data, range, .never) { data.prefix($0.count) }
        }
      },
      inParts(
        .streams, "keeps values in parts apart from others", "after setObject in place of a value in parts"
      ) {
        store, _ in
        let (base, values) = (store.base, Shared<[String: Data]>([:]))
        let commit = store.commit
        store.commit = { staged, ifAbsent in
          let isStored = try await commit(staged, ifAbsent)
          if isStored { values.change { $0[staged.key] = staged.data } }
          return isStored
        }
        store.open = { key, range in
          guard let entry = try await base.read(key, []) else { return nil }
          return InParts.stream(values.value[key] ?? entry.object, range, entry.expiry)
        }
      },
      inParts(.streams, "removes only the whole", "after the removal of a value that was written in parts") {
        store, _ in
        let (open, kept) = (store.open, Shared<[String: StoredBytes]>([:]))
        store.open = { key, range in
          let bytes = try await open(key, range)
          kept.change { $0[key] = bytes ?? $0[key] }
          return kept.value[key]
        }
      },
      inParts(.streams, "ignores the given expiry", "written with date") { store, _ in
        let base = store.base
        store.commit = {
          try await base.change($0.key, $1 ? .setIfAbsent($0.data, nil) : .set($0.data, nil), [])
        }
      },
      inParts(.streams, "stores values without an expiry for ever", "to a store with an expiry of") {
        store, _ in
        let base = store.base
        store.commit = {
          let expiry = $0.expiry ?? .never
          return try await base.change($0.key, $1 ? .setIfAbsent($0.data, expiry) : .set($0.data, expiry), [])
        }
      },
      inParts(.streams, "does not know the expiry of a stream", "read(forKey:) states the expiry never") {
        store, _ in
        let base = store.base
        store.open = { key, range in
          try await base.objectIfPresent(forKey: key).map { InParts.stream($0, range, .never) }
        }
      },
      inParts(.streams, "has one value in parts for each key", "after the first of two commits") { store, _ in
        let (base, shared) = (store.base, Shared<[String: Data]>([:]))
        store.append = { staged in
          // The writer that has appended last wins.
          shared.change { $0[staged.key] = staged.data }
        }
        store.commit = { staged, _ in
          let data = staged.data.isEmpty ? Data() : shared.value[staged.key] ?? Data()
          try await base.setObject(data, forKey: staged.key, expiry: staged.expiry)
          return true
        }
      },
      inParts(.streams, "removes what was committed, on discard", "after the second of two commits") {
        store, _ in
        let base = store.base
        store.discard = { staged in
          do {
            let stored = try await base.objectIfPresent(forKey: staged.key)
            if stored == staged.data { try await base.removeObject(forKey: staged.key) }
          } catch {}
        }
      },
      inParts(.streams, "reads staged bytes from the beginning", "bytes(at:count:) of a staged value") {
        store, _ in
        store.readBack = { data, _, count in data.prefix(count) }
      },
      inParts(.streams, "replaces a value where none may be", "in place of another") { store, _ in
        let commit = store.commit
        store.commit = { staged, _ in try await commit(staged, false) }
      },
      inParts(
        .streams, "looks first, and stores then", "of four callers of commit(ifAbsent: true)", isBrief: true
      ) {
        store, _ in
        let (base, commit) = (store.base, store.commit)
        store.commit = { staged, ifAbsent in
          if ifAbsent, try await base.objectExists(forKey: staged.key) { return false }
          await Task.yield()
          return try await commit(staged, false)
        }
      },
      inParts(.streams, "keeps a header in the file of a value", "fileURL gives 1 and not 0 bytes") {
        store, place in
        let base = store.base
        store.open = { key, range in
          guard let entry = try await base.read(key, []) else { return nil }
          let url = place.url.appending(path: "file")
          return InParts.stream(
            entry.object, range, entry.expiry,
            file: {
              try (Data([0x53]) + entry.object).write(to: url)
              return StoredFile(url)
            })
        }
      },
      inParts(.streams, "deletes a file that is used", "it threw") { store, place in
        let (base, make) = (store.base, store.make)
        let url = place.url.appending(path: "file")
        store.open = { key, range in
          guard let entry = try await base.read(key, []) else { return nil }
          return InParts.stream(
            entry.object, range, entry.expiry,
            file: {
              try entry.object.write(to: url)
              return StoredFile(url)
            })
        }
        store.make = { key, change in
          if case .remove = change.kind, FileManager.default.fileExists(atPath: url.path) {
            try FileManager.default.removeItem(at: url)
          }
          return try await make(key, change)
        }
      },
      inParts(.streams, "replaces a value in two steps", "others write", isBrief: true) { store, _ in
        inTwoSteps(&store)
      },
    ] + ofMemory

  /// With a sanitizer, the kit does not measure memory.
  private static let ofMemory =
    Sanitizer.isOn
    ? []
    : [
      // On disk: what a store keeps in memory is no fault.
      inParts(
        .streams, "keeps all parts in memory", "bytes of memory while it is written", isKilled: true
      ) { store, _ in
        store.claimsParts = true
      }
    ]

  /// Overwrites the first half of the old value before the second.
  static func inTwoSteps(_ store: inout InParts) {
    let (base, commit) = (store.base, store.commit)
    store.commit = { staged, ifAbsent in
      let half = staged.data.count / 2
      if let old = try await base.objectIfPresent(forKey: staged.key), !ifAbsent {
        try await base.setObject(staged.data.prefix(half) + old.dropFirst(half), forKey: staged.key)
        for _ in 0..<20 { await Task.yield() }
      }
      return try await commit(staged, ifAbsent)
    }
  }
}
