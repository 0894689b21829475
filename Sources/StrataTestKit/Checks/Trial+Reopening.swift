#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func reopening() async throws {
    var expected: [String: Data] = [
      "empty": Data(), "zero\0key": Data([0]), "": text("empty key"), "é": text("é"),
    ]
    expected["large"] = bytes(size(300_000), seed: 1)
    for number in 0..<min(subject.batchSize, 200) {
      expected["batch \(number)"] = bytes(number, seed: number)
    }
    let (time, date) = try await fill(with: expected)
    expected["long"] = text("long")
    try await time.pass(time.unit * 2)
    for round in 1...3 {
      // Each store must be released before the next one is opened.
      try await lookAgain(for: expected, "reopened for the \(round). time") { store, circumstances in
        guard case .date(let found) = try await store.entry(forKey: "long").expiry,
          abs(found.timeIntervalSince(date)) <= time.resolution + 1e-6
        else { throw broken("\(circumstances), an entry has lost its expiry, \(date)") }
        let expiry = try await store.entry(forKey: "empty").expiry
        try expect(expiry == .never, "\(circumstances), an entry without an expiry has \(expiry)")
      }
    }
    try await open().removeAll()
    try await lookAgain(for: [:], "reopened after removeAll")
  }

  private func fill(with entries: [String: Data]) async throws -> (Moments, Date) {
    let store = try await open()
    let time = try await Moments(of: self, in: store)
    for key in ["removed", "batch removed", "empty", "large"] {
      try await store.setObject(bytes(size(9000), seed: 3), forKey: key, expiry: .seconds(1e6))
    }
    let batch = entries.filter { $0.key.hasPrefix("batch") }
    for (key, value) in entries where batch[key] == nil {
      try await store.setObject(value, forKey: key, expiry: nil)
    }
    try await store.setObjects(batch, expiry: nil)
    try await store.removeObject(forKey: "removed")
    try await store.removeObjects(forKeys: ["batch removed"])
    // This entry expires while no store is open.
    try await store.setObject(text("mortal"), forKey: "mortal", expiry: .seconds(time.unit))
    let date = time.now.addingTimeInterval(1e6)
    try await store.setObject(text("long"), forKey: "long", expiry: .date(date))
    return (time, date)
  }

  private func lookAgain(
    for entries: [String: Data], _ circumstances: String,
    _ more: (Store, String) async throws -> Void = { _, _ in }
  ) async throws {
    let store = try await open()
    try await expectKeys(entries.keys, in: store, circumstances)
    for (key, value) in entries { try await expect(value, at: key, in: store, circumstances) }
    for key in ["removed", "batch removed", "mortal", "never there"] {
      try await expect(nil, at: key, in: store, circumstances)
    }
    try await more(store, circumstances)
  }

  func severalHandles() async throws {
    let (one, other) = (try await open(), try await open())
    for (writer, reader) in [(one, other), (other, one)] {
      for round in 0..<Effort.current.rounds(20) {
        let value = bytes(round * 50, seed: round)
        try await writer.setObject(value, forKey: "key", expiry: nil)
        try await expect(value, at: "key", in: reader, "after a write through another store over this place")
        try await expectKeys(["key"], in: reader, "after a write through another store over this place")
        try await writer.removeObject(forKey: "key")
        try await expect(nil, at: "key", in: reader, "after a removal through another store over this place")
      }
      try await writer.setObjects(["a": text("a"), "b": text("b")], expiry: nil)
      try await expectKeys(["a", "b"], in: reader, "after a batch through another store over this place")
      try await writer.removeAll()
      try await expectKeys([], in: reader, "after removeAll through another store over this place")
    }
  }
}
