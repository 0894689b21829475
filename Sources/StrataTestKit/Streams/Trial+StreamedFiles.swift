#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// Files that are imported and exported, and the file in which the store keeps a value.
  func streamedFiles() async throws {
    let store = try await open()
    let elsewhere = try Trial(of: promise, on: subject)
    defer { elsewhere.cleanUp() }
    for (number, count) in [0, 5000, span(StoredBytes.partSize + 300, in: store)].map(size).enumerated() {
      let value = MarkedValue(number, count: count)
      let (file, copy) = (elsewhere.folder.appending(path: "file"), elsewhere.folder.appending(path: "copy"))
      try value.data.write(to: file)
      try await store.importFile(file, forKey: "imported")
      try await expectStream(value, at: "imported", in: store, "after importFile")
      try await store.exportFile(forKey: "imported", to: copy)
      try expectNone(
        value.difference(of: Data(contentsOf: copy), in: 0..<count), "imported", "exportFile")
      if let kept = try await store.fileURL(forKey: "imported") {
        try expectNone(
          value.difference(of: Data(contentsOf: kept.url), in: 0..<count), "imported", "fileURL")
        try await store.removeObject(forKey: "imported")
        try expectNone(
          value.difference(of: Data(contentsOf: kept.url), in: 0..<count), "imported",
          "after a removal, fileURL")
        try await expectStream(nil, at: "imported", in: store, "removed while its file is used")
      }
    }
  }

  /// A store that says it keeps parts needs memory for a few of them only, besides what it keeps there: an engine may
  /// write what it has buffered later.
  ///
  /// Other tests of the process may need memory too, so a store counts as faulty only if it needs much each time.
  func memoryOfStreams() async throws {
    let (parts, limit) = (40, 32 << 20)
    guard subject.hugeValueSize >= 64 << 20, !Sanitizer.isOn, let idle = LentMemory.bytes() else { return }
    let store = try await open()
    let part = MarkedValue(1, count: 1 << 20).data
    var most = Int.max
    for _ in 0..<3 where most > limit {
      let high = Shared(0)
      @Sendable func look() { high.change { $0 = max($0, (LentMemory.bytes() ?? 0) - idle) } }
      let source = AsyncStream { continuation in
        for number in 0..<parts { continuation.yield(number) }
        continuation.finish()
      }
      try await store.write(
        forKey: "large",
        from: source.map { number in
          if number % 4 == 0 { look() }
          // A copy, as each part of a file would be.
          return Data(Array(part))
        })
      look()
      let kept = max((LentMemory.bytes() ?? 0) - idle, 0)
      for try await part in try await store.read(forKey: "large") where part.count > 0 { look() }
      most = min(most, high.value - kept)
    }
    try await store.removeObject(forKey: "large")
    try expect(
      most <= limit,
      "a value of \(parts << 20) bytes takes \(most) bytes of memory while it is written and read in parts")
  }
}
