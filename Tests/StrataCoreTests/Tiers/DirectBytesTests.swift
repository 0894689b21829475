import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines
@testable import StrataOrder
@testable import StrataValues

/// Batches to a byte store without memory in front of it.
@Suite("Batches of bytes") struct DirectBytesTests {
  private let disk = DictionaryStorage<String, Data>()
  private let encodings = Shared(0)

  private var numbers: Transformer<Int> {
    Transformer(
      toData: { [encodings] number in
        encodings.change { $0 += 1 }
        if number < 0 { throw Failure.first }
        return Data("\(number)".utf8)
      },
      fromData: { data in
        guard let number = Int(String(decoding: data, as: UTF8.self)) else { throw Failure.first }
        return number
      })
  }

  /// A wrapper of an object is counted by the coding of its transformer.
  private func hasWrapped(_ transformer: Transformer<Int>) -> Bool {
    transformer.coding.holders.load(ordering: .acquiring) != nil
  }

  @Test("a batch makes no wrappers, a single write does")
  func noWrappers() throws {
    let transformer = numbers
    let store = disk.transform(to: transformer)
    try store.setObjects(["a": 1, "b": 2], expiry: nil)
    try store.setEntries(["c": Entry(object: 3, expiry: .date(.distantFuture))])
    #expect(!hasWrapped(transformer))
    #expect(encodings.value == 3)
    #expect(try store.entries(forKeys: ["a", "b", "c"]).mapValues(\.object) == ["a": 1, "b": 2, "c": 3])
    #expect(try disk.entry(forKey: "c").expiry == .date(.distantFuture))
    try store.setObject(4, forKey: "d")
    #expect(hasWrapped(transformer))
  }

  @Test("a value that cannot be encoded stores nothing of its batch")
  func refused() throws {
    let store = disk.transform(to: numbers)
    #expect(throws: Failure.first) { try store.setObjects(["a": 1, "b": -1], expiry: nil) }
    #expect(throws: Failure.first) {
      try store.setEntries(["a": Entry(object: 1), "b": Entry(object: -1)])
    }
    #expect(try disk.keys().isEmpty)
  }
}
