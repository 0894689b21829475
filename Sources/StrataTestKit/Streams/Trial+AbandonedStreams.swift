#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Writers that disappear: nothing of their bytes becomes visible, and they are in nobody's way.
extension Trial {
  /// Staged values that are released without a commit or a discard, and staged values that another store finds.
  func abandonedWriters() async throws {
    let old = MarkedValue(1, count: size(5000))
    try await abandon(over: old)
    let canReopen = !subject.except.contains(.reopening)
    if canReopen { try await expectOnly(old, in: open(), "opened again after a write was abandoned") }
    let store = try await open()
    if !canReopen { try await store.setObject(old.data, forKey: "a", expiry: nil) }
    for round in 0..<Effort.current.rounds(8) {
      let staged = try await store.stage("a", nil, [])
      try await append(MarkedValue(100 + round, count: size(300_000)), 0..<size(300_000), to: staged)
    }
    try await store.removeExpiredObjects()
    try await expectOnly(old, in: store, "after writes were abandoned")
    let new = MarkedValue(2, count: size(300_000))
    try await store.write(forKey: "a", from: PartSource(new.data))
    try await expectOnly(new, in: store, "written after writes were abandoned")
  }

  private func abandon(over old: MarkedValue) async throws {
    let store = try await open()
    try await store.setObject(old.data, forKey: "a", expiry: nil)
    for key in ["a", "b"] {
      let staged = try await store.stage(key, nil, [])
      try await append(MarkedValue(7, count: size(200_000)), 0..<size(200_000), to: staged)
    }
  }

  /// The bytes of writers that failed must not stay in the store's files.
  func failedWriters() async throws {
    let (writes, count) = (12, size(4 << 20))
    try await fail(writes, count)
    if !subject.except.contains(.reopening) { try await open().removeExpiredObjects() }
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
      var status = stat()
      guard lstat("\(folder.path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return sum
      }
      return sum + Int(status.st_blocks) * 512
    }
    try expect(
      left <= writes * count / 2,
      "after \(writes) writes of \(count) bytes whose source threw, the store has \(left) bytes in its folder"
    )
  }

  private func fail(_ writes: Int, _ count: Int) async throws {
    let store = try await open()
    for round in 0..<writes {
      let source = PartSource(MarkedValue(round, count: count).data, .failure, at: count)
      do { try await store.write(forKey: "a", from: source) } catch is PartSource.Failed {}
    }
    try await store.removeExpiredObjects()
  }

  /// Throws `BrokenPromise` unless the store has this value and no other.
  private func expectOnly(_ value: MarkedValue, in store: Store, _ circumstances: String) async throws {
    try await expectStream(value, at: "a", in: store, circumstances)
    try await expectWhole(value, at: "a", in: store, circumstances)
    try await expect(nil, at: "b", in: store, circumstances)
    try await expectKeys(["a"], in: store, circumstances)
    let all = try await store.allObjects()
    try expect(all.count == 1, "\(circumstances), allObjects gives \(all.count) values")
  }

  /// Values that the child writes; the last one is left without an end.
  private func killedValue(_ number: Int) -> MarkedValue {
    MarkedValue(number, count: size([300_000, 70, 2 * StoredBytes.partSize + 900, 5000][number % 4]))
  }

  /// Kills processes that write in parts. Their acknowledged writes are there, the interrupted one all or nothing.
  func killedStreams() async throws {
    var generator = SeededGenerator(seed: 3)
    var last = 0
    try await open().setObject(killedValue(0).data, forKey: "a", expiry: nil)
    for round in 0..<(Effort.current == .full ? 8 : 2) {
      let pause = UInt32.random(in: 0...3000, using: &generator)
      let target = last + Int.random(in: 1...6, using: &generator)
      let start = last
      let acknowledged = try await withChild(seed: start) { child in
        try await child.ready()
        var acknowledged = start
        while let report = try await child.report() {
          guard case .acknowledged(_, let number) = report else { throw CannotCheck("the report \(report)") }
          acknowledged = number
          if number == target {
            // The kill hits the next value at a random moment.
            usleep(pause)
            child.kill()
          }
        }
        try expect(acknowledged >= target, "the writing process ended by itself; its output: \(child.said)")
        return acknowledged
      }
      try await subject.settle?()
      last = try await lookAfterKill(of: acknowledged, "after kill \(round)")
    }
  }

  /// Checks that the value is the acknowledged one or the next one, and that another one can be written. Returns the
  /// number of the value.
  private func lookAfterKill(of acknowledged: Int, _ circumstances: String) async throws -> Int {
    let store = try await open()
    guard let number = try await readOne(killedValue, in: store, byStream: true, circumstances) else {
      throw broken("\(circumstances) of a process that wrote in parts, the old value cannot be read")
    }
    try expect(
      [acknowledged, acknowledged + 1].contains(number),
      "\(circumstances), value \(number) is stored, and \(acknowledged) was acknowledged last")
    try await expectOnly(killedValue(number), in: store, circumstances)
    let next = killedValue(acknowledged + 2)
    try await store.write(forKey: "a", from: PartSource(next.data))
    try await expectOnly(next, in: store, "\(circumstances), written again")
    return acknowledged + 2
  }

  /// Runs in the child: writes values, each in parts, until the process is killed.
  func streamUntilKilled(after last: Int, _ parent: Line) async throws {
    let store = try await open()
    try parent.send(Report.ready)
    for number in (last + 1)... {
      try await store.write(forKey: "a", from: PartSource(killedValue(number).data, sizes: [100_000]))
      try parent.send(Report.acknowledged(task: 0, step: number))
    }
  }
}
