#if os(Linux)
  package import Foundation
  package import StrataCore
  package import Testing

  /// Stores numbered keys and lists them in pages. Expects each key once, and at most 50 MB of memory more than before.
  package func expectListingInLittleMemory(
    _ store: some StorageAware<String, Data>, _ count: Int = Soak.rounds(5_000, soak: 1_000_000),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let value = Data("value".utf8)
    for start in stride(from: 0, to: count, by: 1000) {
      let numbers = start..<min(start + 1000, count)
      try await store.setObjects(
        Dictionary(uniqueKeysWithValues: numbers.map { ("key number \($0)", value) }), expiry: nil)
    }
    FreedMemory.giveBack()
    let idle = try residentMemory()
    var peak = idle
    var seen = [Bool](repeating: false, count: count)
    var twice = 0
    var pages = 0
    for try await keys in store.keyPages() {
      for key in keys {
        let number = try #require(key.split(separator: " ").last.flatMap { Int($0) })
        if seen[number] { twice += 1 }
        seen[number] = true
      }
      pages += 1
      if pages % 20 == 0 { peak = max(peak, try residentMemory()) }
    }
    peak = max(peak, try residentMemory())
    #expect(twice == 0, sourceLocation: sourceLocation)
    #expect(!seen.contains(false), sourceLocation: sourceLocation)
    let megabytes = Double(peak - idle) / 1e6
    #expect(megabytes < 50, sourceLocation: sourceLocation)
    if Soak.isOn {
      print("\(store.storageName): \(count) keys listed with \(megabytes) MB above \(Double(idle) / 1e6) MB")
    }
    try await store.removeAll()
  }

  /// The resident memory of this process in bytes.
  package func residentMemory() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { throw CocoaError(.fileReadCorruptFile) }
    return pages * Int(getpagesize())
  }
#endif
