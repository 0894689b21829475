import Foundation
import Strata

extension ChainCosts {
  func writeRows(_ folder: URL) throws -> [Row] {
    let value = value
    let (bare, ordered) = (NoStorage(), SyncStorage(NoStorage()))
    let (memory, second, disk) = (Memory(), Memory(), try disk("by hand", folder))
    let both = Storage(front: Wrapped(), back: try self.disk("both", folder), transformer: .data)
    let observed = Storage(front: Wrapped(), back: try self.disk("observed", folder), transformer: .data)
    let observer = Observer()
    observed.addStorageObserver(observer) { observer, _, _ in _ = observer }
    let alone = overMemory()
    let combined = Memory().combined(with: Memory())
    let fewer = operations / 5
    let toBoth: @Sendable (String) throws -> Int = {
      try disk.setObject(value, forKey: $0)
      try memory.setObject(value, forKey: $0)
      return 1
    }
    let watched: @Sendable (String) throws -> Int = {
      _ = observer
      try observed.setObject(value, forKey: $0)
      return 1
    }
    return [
      Row(
        name: "one uncontended turn", wanted: 1,
        chain: each {
          try ordered.setObject(value, forKey: $0); return 1
        },
        byHand: each {
          try bare.setObject(value, forKey: $0); return 1
        }),
      Row(
        name: "write, Storage over memory and disk", wanted: 1.3, operations: fewer,
        chain: each(count: fewer, write(both)),
        byHand: each(count: fewer, toBoth)),
      Row(
        name: "write, the same with one storage observer", wanted: 2, operations: fewer,
        chain: each(count: fewer, watched), byHand: each(count: fewer, toBoth)),
      Row(
        name: "write, Storage over memory alone", wanted: 3, chain: each(write(alone)),
        byHand: each(write(memory))),
      Row(
        name: "write, two memories combined", wanted: 3, chain: each(write(combined)),
        byHand: each {
          try second.setObject(value, forKey: $0)
          try memory.setObject(value, forKey: $0)
          return 1
        }),
    ]
  }

  private func write(_ store: some SyncStorageAware<String, Data>) -> @Sendable (String) throws -> Int {
    { [value] key in
      try store.setObject(value, forKey: key)
      return 1
    }
  }

  func hitRows() throws -> [Row] {
    let value = value
    let (memory, second, wrapped) = (Memory(), Memory(), Wrapped())
    let storage = overMemory(wrapped)
    let view = storage.transform(to: .data)
    let cached = Memory().cacheStrategy(.cache)
    let asked = Memory().cacheStrategy(.cacheOnFailure)
    let pairs = zip(Memory(), Memory())
    for key in keys {
      try memory.setObject(value, forKey: key)
      try second.setObject(value, forKey: key)
      try storage.setObject(value, forKey: key)
      try cached.setObject(value, forKey: key)
      try asked.setObject(value, forKey: key)
      try pairs.setObject((value, value), forKey: key)
    }
    let hit = each { try memory.object(forKey: $0).count }
    return [
      Row(
        name: "hit, Storage", wanted: 1.5, chain: each { try storage.object(forKey: $0).count }, byHand: hit),
      Row(name: "hit, a view", wanted: 1.5, chain: each { try view.object(forKey: $0).count }, byHand: hit),
      Row(name: "hit, AsyncStorage", wanted: 2, chain: awaitedHits(storage.async), byHand: hit),
      Row(
        name: "hit, cacheStrategy(.cache)", wanted: 3, chain: each { try cached.object(forKey: $0).count },
        byHand: hit),
      Row(
        name: "read, cacheStrategy(.cacheOnFailure) over memory", wanted: 6,
        chain: each { try asked.object(forKey: $0).count }, byHand: hit),
      Row(
        name: "read, zip of two memories", wanted: 3, chain: each { try pairs.object(forKey: $0).0.count },
        byHand: each { try memory.object(forKey: $0).count &+ second.object(forKey: $0).count }),
    ]
  }

  func missRows(_ folder: URL) throws -> [Row] {
    let fewer = operations / 5
    let disk = try disk("misses", folder)
    for key in keys { try disk.setObject(value, forKey: key) }
    // The limit evicts each key before its next read.
    let little = MemoryConfig(countLimit: 1)
    let two = Storage(front: Wrapped(config: little), back: disk, transformer: .data)
    let three = Storage(
      front: Wrapped(config: little), back: Memory(config: little).combined(with: disk), transformer: .data)
    let (first, second) = (Memory(config: little), Memory(config: little))
    let empty = Storage(front: Wrapped(), back: try self.disk("empty", folder), transformer: .data)
    let (noMemory, noDisk) = (Memory(), try self.disk("nothing", folder))
    return [
      Row(
        name: "absent everywhere, Storage over memory and disk", wanted: 2,
        chain: each { try empty.objectIfPresent(forKey: $0)?.count ?? 0 },
        byHand: each {
          try (noMemory.objectIfPresent(forKey: $0) ?? noDisk.objectIfPresent(forKey: $0))?.count ?? 0
        }),
      Row(
        name: "miss to disk, two tiers", wanted: 1.5, operations: fewer,
        chain: each(count: fewer) { try two.object(forKey: $0).count },
        byHand: each(count: fewer) {
          if let object = try first.objectIfPresent(forKey: $0) { return object.count }
          let object = try disk.object(forKey: $0)
          try first.setObject(object, forKey: $0)
          return object.count
        }),
      Row(
        name: "miss to disk, three tiers", wanted: 2, operations: fewer,
        chain: each(count: fewer) { try three.object(forKey: $0).count },
        byHand: each(count: fewer) {
          if let object = try first.objectIfPresent(forKey: $0) { return object.count }
          if let object = try second.objectIfPresent(forKey: $0) { return object.count }
          let object = try disk.object(forKey: $0)
          try second.setObject(object, forKey: $0)
          try first.setObject(object, forKey: $0)
          return object.count
        }),
    ]
  }
}

private final class Observer: Sendable {}
