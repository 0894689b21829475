#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func batches() async throws {
    let store = try await open()
    try await store.setObjects([:], expiry: nil)
    try await store.removeObjects(forKeys: [])
    let none = try await store.entries(forKeys: [])
    try expect(none.isEmpty, "entries(forKeys: []) gives \(none.count) entries")
    try await expectKeys([], in: store, "after empty batches")

    var objects: [String: Data] = [:]
    let size = max(subject.batchSize, 8)
    for number in 0..<size { objects["\(number)"] = bytes(number % 50, seed: number) }
    try await store.setObject(text("old"), forKey: "7", expiry: .seconds(1e6))
    try await store.setObject(text("outside"), forKey: "outside", expiry: nil)
    try await store.setObjects(objects, expiry: nil)
    for (key, value) in objects {
      try expect(
        try await store.objectIfPresent(forKey: key), value, "objectIfPresent", key, "after setObjects")
    }
    try await expect(text("outside"), at: "outside", in: store, "after setObjects of other keys")
    let expiry = try await store.entry(forKey: "7").expiry
    try expect(
      expiry == .never,
      "after setObjects, an entry has the expiry \(expiry) of the entry that it replaced")
    try await expectKeys(Array(objects.keys) + ["outside"], in: store, "after setObjects")

    let asked = objects.keys + ["absent", "outside", "0", "0"]
    let found = try await store.entries(forKeys: asked)
    try expect(found["absent"] == nil, "entries(forKeys:) gives an entry for a key that is absent")
    try expect(
      found.count == objects.count + 1,
      "entries(forKeys:) gives \(found.count) of \(objects.count + 1) entries")
    for (key, value) in objects {
      try expect(found[key]?.object, value, "entries(forKeys:)", key, "after setObjects")
    }

    try await store.removeObjects(forKeys: (0..<size / 2).map(String.init) + ["absent", "0"])
    for number in 0..<size {
      let value = number < size / 2 ? nil : objects["\(number)"]
      try expect(
        try await store.objectIfPresent(forKey: "\(number)"), value, "objectIfPresent", "\(number)",
        "after removeObjects")
    }
    let left = (size / 2..<size).map(String.init) + ["outside"]
    try await expectKeys(left, in: store, "after removeObjects")

    // An empty batch must change nothing: a statement built without a condition or a range without bounds would remove
    // all entries.
    try await store.removeObjects(forKeys: [])
    try await expectKeys(left, in: store, "after removeObjects(forKeys: [])")
    try await store.setObjects([:], expiry: .seconds(-1))
    try await expectKeys(left, in: store, "after setObjects([:])")
    let nothing = try await store.entries(forKeys: [])
    try expect(nothing.isEmpty, "in a store with entries, entries(forKeys: []) gives \(nothing.count)")

    // The store may have cached these entries. A batch must replace and remove cached entries too.
    for key in ["outside", "7"] { _ = try await store.objectIfPresent(forKey: key) }
    try await store.setObjects(["outside": text("new"), "7": text("newer")], expiry: .seconds(1e6))
    let told = try await store.expiryIfPresent(forKey: "outside")
    try expect(
      told != .never,
      "after setObjects of a key that was read, expiryIfPresent answers \(shown(told)), the expiry before the batch"
    )
    try await expect(text("new"), at: "outside", in: store, "after setObjects of a key that was read")
    let renewed = Expiry.date(store.clock.now.addingTimeInterval(1e6))
    if store.clock.now == time.date {
      try await expectExpiry(renewed, of: "outside", in: store, "after setObjects of a key that was read")
    }
    try await store.removeObjects(forKeys: ["outside", "7"])
    try await expect(nil, at: "outside", in: store, "after removeObjects of a key that was read")
  }
}
