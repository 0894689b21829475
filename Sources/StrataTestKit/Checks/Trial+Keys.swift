#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Strings that stores have confused with each other, or with something other than a key.
let hostileKeys: [String] = {
  var keys = [
    "", " ", "  ", ".", "..", "/", "//", "a/b", "a//b", "../../a", "/etc/passwd", "a\\b", "C:\\a", "~", "-rf",
    "*", "?", "%",
    "%00", "%2F", "_", "key", "Key", "KEY", "key ", " key", "key.", "key\n", "key\r\n", "key\r", "key\t",
    "\0", "\0\0", "a\0",
    "a\0b", "\u{1}", "\u{7F}", "\u{FEFF}key", "'", "\"", "`", "'; DROP TABLE entries; --", "\")", "{key}",
    "[key]", "$key",
    "#", "&", "|", ";", ":", "a:b", "<a>", "null", "NULL", "nil", "true", "0", "00", "1", "01", "1.0", "1e0",
    "-1", "９",
    "CON", "NUL", "aux.txt", "é", "e", "ﬁ", "fi", "ß", "ss", "İ", "i", "ı", "I", "Ω", "ω", "ς", "σ", "日本",
    "日本語", "עברית", "العربية",
    "🙂", "👨‍👩‍👧", "👨", "🇩🇪", "🇩", "\u{301}", "a\u{200D}", "a\u{200B}", "\u{202E}abc", "\u{FFFD}", "\u{FFFF}",
    "\u{10FFFF}", "\u{E000}",
  ]
  // Lengths around the limits of file names, engines' keys and pages; and long keys that differ only at their end.
  for length in [127, 128, 254, 255, 256, 510, 511, 512, 1023, 1024, 4096, 65_535, 65_536, 100_000] {
    keys.append(String(repeating: "k", count: length))
  }
  for ending in ["1", "2", "é"] { keys.append(String(repeating: "l", count: 600) + ending) }
  keys.append(String(repeating: "é", count: 300))
  keys.append(String(repeating: "\0", count: 300))
  return keys
}()

extension Trial {
  func anyKey() async throws {
    let store = try await open()
    func value(_ index: Int) -> Data { text("value \(index)") }
    for (index, key) in hostileKeys.enumerated() {
      try await naming(key) { try await store.setObject(value(index), forKey: key, expiry: nil) }
    }
    for (index, key) in hostileKeys.enumerated() {
      try await naming(key) { try await expect(value(index), at: key, in: store, "among keys of all kinds") }
    }
    try await expectKeys(hostileKeys, in: store, "among keys of all kinds")
    for (index, key) in hostileKeys.enumerated() where index % 2 == 0 {
      try await naming(key) { try await store.removeObject(forKey: key) }
    }
    for (index, key) in hostileKeys.enumerated() {
      let value = index % 2 == 0 ? nil : value(index)
      try await naming(key) {
        try await expect(value, at: key, in: store, "after the removal of every second of such keys")
      }
    }
    let rest = hostileKeys.indices.filter { $0 % 2 == 1 }.map { hostileKeys[$0] }
    try await expectKeys(rest, in: store, "after the removal of every second of such keys")
    let batch = Dictionary(uniqueKeysWithValues: hostileKeys.enumerated().map { ($1, value($0 + 1)) })
    try await store.setObjects(batch, expiry: nil)
    let found = try await store.entries(forKeys: hostileKeys)
    for key in hostileKeys {
      try expect(found[key]?.object, batch[key], "entries(forKeys:)", key, "after a batch of such keys")
    }
    try await store.removeObjects(forKeys: hostileKeys)
    try await expectKeys([], in: store, "after the removal of all such keys in a batch")
  }

  /// Runs an operation. If it fails, adds the key to the error.
  private func naming(_ key: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch let broken as BrokenPromise { throw broken } catch {
      throw broken("an operation on the key \(shown(key)) threw \(error)")
    }
  }

  func equalKeys() async throws {
    let store = try await open()
    // A composed and a decomposed character, marks in a different order, and characters with a single canonical form.
    let pairs = [
      ("caf\u{E9}", "cafe\u{301}"), ("\u{212B}", "A\u{30A}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"),
      ("\u{AC00}", "\u{1100}\u{1161}"),
      ("\u{2126}", "\u{3A9}"),
      (String(repeating: "\u{E9}", count: 400), String(repeating: "e\u{301}", count: 400)),
    ]
    for (left, right) in pairs {
      try await store.setObject(text("left"), forKey: left, expiry: nil)
      try await expect(text("left"), at: right, in: store, "under an equal text composed differently")
      try await store.setObject(text("right"), forKey: right, expiry: nil)
      try await expect(
        text("right"), at: left, in: store, "after a write under an equal text composed differently")
      try await expectKeys([left], in: store, "after writes under two equal texts")
      try await store.removeObject(forKey: left)
      try await expect(nil, at: right, in: store, "after the removal of an equal text")
      try await expectKeys([], in: store, "after the removal of an equal text")
    }
  }

  func keys() async throws {
    let store = try await open()
    try await expectKeys([], in: store, "in an empty store")
    try await store.setObject(text("1"), forKey: "one", expiry: nil)
    try await expectKeys(["one"], in: store, "in a store with one entry")
    let time = try await Moments(of: self, in: store)
    let soon = time.now.addingTimeInterval(time.unit)
    try await store.setObject(text("2"), forKey: "short", expiry: .seconds(time.unit))
    try await store.setObject(text("3"), forKey: "past", expiry: .date(.distantPast))
    try await store.setObject(text("4"), forKey: "long", expiry: .seconds(1e6))
    try await time.before(soon) {
      try await expectKeys(["one", "short", "long"], in: store, "with one entry that has expired already")
    }
    try await time.pass(time.unit * 2)
    try await expectKeys(["one", "long"], in: store, "after an expiry, before a sweep")
    try await store.removeExpiredObjects()
    try await expectKeys(["one", "long"], in: store, "after a sweep")
    let allKeys = try await store.allKeys()
    try expect(allKeys.sorted() == ["long", "one"], "allKeys gives \(allKeys)")
    try await store.removeObject(forKey: "one")
    try await store.removeObject(forKey: "long")
    try await expectKeys([], in: store, "after all were removed")
  }

  func manyKeys() async throws {
    let store = try await open()
    let count = Effort.current.manyKeys
    var objects: [String: Data] = [:]
    objects.reserveCapacity(count)
    for number in 0..<count { objects["entry \(number)"] = text("\(number)") }
    try await store.setObjects(objects, expiry: nil)
    let listed = try await store.keys()
    try expect(listed.count == count, "of \(count) entries, keys() lists \(listed.count)")
    for key in listed where objects[key] == nil {
      throw broken("keys() lists \(shown(key)), which is not stored")
    }
    try expect(Set(listed).count == count, "keys() lists a key twice")
    for number in stride(from: 0, to: count, by: 997) {
      let found = try await store.objectIfPresent(forKey: "entry \(number)")
      try expect(found, text("\(number)"), "objectIfPresent", "entry \(number)", "among \(count) entries")
    }
    try await store.removeAll()
    try await expectKeys([], in: store, "after the removal of \(count) entries")
  }

  func sortedKeys() async throws {
    let store = try await open()
    let keys = ["b", "a", "", "ab", "B", "é", "e", "f", "z", "日", "10", "9", "a/b", "🙂", "\u{FFFD}", "a\0"]
    for key in keys { try await store.setObject(text(key), forKey: key, expiry: nil) }
    var found = try await store.keys()
    try expect(found == keys.sorted(), "keys() gives \(found)")
    try await store.removeObject(forKey: "ab")
    try await store.setObject(text("c"), forKey: "c", expiry: nil)
    found = try await store.keys()
    try expect(found == found.sorted() && found.count == keys.count, "after changes, keys() gives \(found)")
  }
}
