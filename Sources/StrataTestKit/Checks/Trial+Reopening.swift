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
    expected["large"] = bytes(300_000, seed: 1)
    for number in 0..<200 { expected["batch \(number)"] = bytes(number, seed: number) }
    let (time, date) = try await fill(with: expected)
    for round in 1...3 {
      // Each store is gone before the next one comes.
      try await lookAgain(for: expected, expiringAt: date, time, "reopened for the \(round). time")
    }
    try await time.pass(time.unit * 10)
    expected["mortal"] = nil
    try await lookAgain(for: expected, expiringAt: nil, time, "reopened when an expiry had passed")
    try await open().removeAll()
    try await lookAgain(for: [:], expiringAt: nil, time, "reopened after removeAll")
  }

  private func fill(with entries: [String: Data]) async throws -> (Moments, Date) {
    let store = try await open()
    let time = try await Moments(of: self, in: store)
    for key in ["removed", "batch removed", "empty", "large"] {
      try await store.setObject(bytes(9000, seed: 3), forKey: key, expiry: .seconds(1e6))
    }
    let (batch, single) = (
      entries.filter { $0.key.hasPrefix("batch") }, entries.filter { !$0.key.hasPrefix("batch") }
    )
    for (key, value) in single { try await store.setObject(value, forKey: key, expiry: nil) }
    try await store.setObjects(batch, expiry: nil)
    try await store.removeObject(forKey: "removed")
    try await store.removeObjects(forKeys: ["batch removed"])
    let date = time.now.addingTimeInterval(time.unit * 8)
    try await store.setObject(text("mortal"), forKey: "mortal", expiry: .date(date))
    return (time, date)
  }

  private func lookAgain(
    for entries: [String: Data], expiringAt date: Date?, _ time: Moments, _ circumstances: String
  ) async throws {
    var entries = entries
    if date != nil { entries["mortal"] = text("mortal") }
    let store = try await open()
    try await expectKeys(entries.keys, in: store, circumstances)
    for (key, value) in entries { try await expect(value, at: key, in: store, circumstances) }
    for key in ["removed", "batch removed", "never there"] {
      try await expect(nil, at: key, in: store, circumstances)
    }
    if date == nil { try await expect(nil, at: "mortal", in: store, circumstances) }
    guard let date else { return }
    guard case .date(let found) = try await store.entry(forKey: "mortal").expiry,
      abs(found.timeIntervalSince(date)) <= time.resolution + 1e-6
    else { throw broken("\(circumstances), an entry has lost its expiry, \(date)") }
    if let some = entries.keys.first(where: { $0 != "mortal" }) {
      let expiry = try await store.entry(forKey: some).expiry
      try expect(expiry == .never, "\(circumstances), an entry without an expiry has \(expiry)")
    }
  }

  func severalHandles() async throws {
    let (one, other) = (try await open(), try await open())
    for (writer, reader) in [(one, other), (other, one)] {
      for round in 0..<20 {
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
