import Foundation
import Strata
import StrataTestKit

extension Fault {
  static let ofTornStreams = [
    inParts(.tornStreams, "reads each part of the value that is stored then", "the rest of a stream") {
      store, _ in
      let base = store.base
      store.open = { key, range in
        guard let entry = try await base.read(key, []) else { return nil }
        return InParts.stream(entry.object, range, entry.expiry) { part in
          try await base.object(forKey: key).dropFirst(part.lowerBound).prefix(part.count)
        }
      }
    },
    inParts(.tornStreams, "opens the value when its first part is read", "that was opened before") {
      store, _ in
      let base = store.base
      store.open = { key, range in
        guard let entry = try await base.read(key, []) else { return nil }
        let opened = Shared<Data?>(nil)
        return InParts.stream(entry.object, range, entry.expiry) { part in
          let now = opened.value == nil ? try await base.object(forKey: key) : Data()
          return opened.change { opened in
            opened = opened ?? now
            return opened?.dropFirst(part.lowerBound).prefix(part.count)
          }
        }
      }
    },
    inParts(.tornStreams, "fills the rest of a removed value with zeros", "the rest of a stream") {
      store, _ in
      let base = store.base
      store.open = { key, range in
        guard let entry = try await base.read(key, []) else { return nil }
        return InParts.stream(entry.object, range, entry.expiry) { part in
          let now = try await base.objectIfPresent(forKey: key)
          return now == entry.object
            ? entry.object.dropFirst(part.lowerBound).prefix(part.count) : Data(count: part.count)
        }
      }
    },
    inParts(.tornStreams, "replaces a value in two steps", "while the value is replaced", isBrief: true) {
      store, _ in
      inTwoSteps(&store)
    },
    inParts(
      .tornStreams, "caches a value that a later write has replaced", "the value is replaced", isBrief: true
    ) { store, _ in
      let (base, commit, make) = (store.base, store.commit, store.make)
      let cache = Shared<[String: Entry<Data>]>([:])
      store.open = { key, range in
        guard let entry = try await base.read(key, []) else { return nil }
        if let cached = cache.value[key] { return InParts.stream(cached.object, range, cached.expiry) }
        for _ in 0..<10 { await Task.yield() }
        cache.change { $0[key] = entry }
        return InParts.stream(entry.object, range, entry.expiry)
      }
      store.commit = { staged, ifAbsent in
        let isStored = try await commit(staged, ifAbsent)
        cache.change { $0[staged.key] = nil }
        return isStored
      }
      store.make = { key, change in
        let isMade = try await make(key, change)
        cache.change { $0[key] = nil }
        return isMade
      }
    },
    inParts(.tornStreams, "keeps staged parts among the values", "was abandoned, keys() lists 2 too many") {
      store, _ in
      let (base, commit, discard) = (store.base, store.commit, store.discard)
      store.append = { try await base.setObject($0.data, forKey: "\($0.key).part") }
      store.commit = { staged, ifAbsent in
        try await base.removeObject(forKey: "\(staged.key).part")
        return try await commit(staged, ifAbsent)
      }
      store.discard = { staged in
        do { try await base.removeObject(forKey: "\(staged.key).part") } catch {}
        await discard(staged)
      }
    },
    inParts(.tornStreams, "leaves the files of failed writes", "bytes in its folder") { store, place in
      let commit = store.commit
      @Sendable func file(_ staged: InParts.Staging) -> URL { place.url.appending(path: "\(staged.id).part") }
      store.append = { try $0.data.write(to: file($0)) }
      store.commit = { staged, ifAbsent in
        do { try FileManager.default.removeItem(at: file(staged)) } catch CocoaError.fileNoSuchFile {}
        return try await commit(staged, ifAbsent)
      }
    },
    inParts(
      .tornStreams, "acknowledges commits before they are on disk", "was acknowledged last", isKilled: true
    ) {
      store, _ in
      guard isInChild else { return }
      let (commit, left) = (store.commit, Shared<[InParts.Staging]>([]))
      store.commit = { staged, ifAbsent in
        // A kill in the middle of the next commit could hide a fault of only one value.
        let before = left.change { left in
          left.append(staged)
          return left.count > 2 ? left.removeFirst() : nil
        }
        if let before { _ = try await commit(before, ifAbsent) }
        return true
      }
    },
    inParts(.tornStreams, "leaves half a value when it is killed", "after kill", isKilled: true) { store, _ in
      guard isInChild else { return }
      let (base, commit) = (store.base, store.commit)
      store.commit = { staged, ifAbsent in
        try await base.setObject(staged.data.prefix(staged.data.count / 2), forKey: staged.key)
        // Most kills come meanwhile.
        usleep(5000)
        return try await commit(staged, ifAbsent)
      }
    },
  ]

  /// Whether this process is one that the check kills. In the process of the test, another part of the check would find
  /// the fault.
  private static var isInChild: Bool { ProcessInfo.processInfo.environment["STRATA_TESTKIT_CHILD"] != nil }
}
