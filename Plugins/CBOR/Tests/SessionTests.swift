import Foundation
import StrataCBOR
import TestSupport
import Testing

@Suite("CBOR: encodings at the same time", .endsInTime) struct SessionTests {
  /// Encodes the value within it by an encoder of its own, while its own encoding runs.
  private struct Shell: Codable, Equatable {
    var levels: Int
    var contents = Data()

    init(levels: Int) { self.levels = levels }

    enum CodingKeys: CodingKey { case levels, contents }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(levels, forKey: .levels)
      if levels > 0 {
        try container.encode(CBOREncoder().encode(Shell(levels: levels - 1)), forKey: .contents)
      } else {
        try container.encode(contents, forKey: .contents)
      }
    }

    func opened() throws -> [Int] {
      try [levels] + (contents.isEmpty ? [] : CBORDecoder().decode(Shell.self, from: contents).opened())
    }
  }

  @Test("encodings within encodings, more than are kept idle, on several threads keep their bytes apart")
  func nested() async throws {
    let expected = Array((0...20).reversed())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await onThread { () throws in
            for _ in 0..<50 {
              let bytes = try CBOREncoder().encode(Shell(levels: 20))
              #expect(try CBORDecoder().decode(Shell.self, from: bytes).opened() == expected)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "a container that was kept is refused while its buffer belongs to another encoding, and changes nothing there"
  )
  func kept() throws {
    struct Intruding: Encodable {
      let hoarder: Hoarder

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Hoarder.Keys.self)
        #expect(throws: EncodingError.self) {
          var old = try #require(hoarder.container)
          try old.encode("intruder", forKey: .a)
        }
        try container.encode(5, forKey: .a)
      }
    }
    let hoarder = Hoarder()
    _ = try CBOREncoder().encode(hoarder)
    let bytes = try CBOREncoder().encode(Intruding(hoarder: hoarder))
    #expect(bytes.hex == "a1616105")
  }
}
