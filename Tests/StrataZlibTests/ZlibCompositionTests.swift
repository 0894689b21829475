import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataZlib

@Suite("zlib: a step of a transformer")
struct ZlibCompositionTests {
  @Test("three spellings of the transformer give the same bytes")
  func sameBytes() throws {
    // An array, since JSON does not guarantee the order of a struct's fields.
    let words = Array(repeating: ["fox", "dog"], count: 10).flatMap { $0 }
    let bytes = try Transformer.codable([String].self).then(.zlib()).toData(words)
    #expect(try Transformer.codable([String].self).zlib().toData(words) == bytes)
    #expect(try TransformerFactory.forZlib(.codable([String].self)).toData(words) == bytes)
    #expect(bytes.prefix(1) == Data([0x78]))
    #expect(try Transformer.codable([String].self).zlib().fromData(bytes) == words)
  }

  @Test("the level does not change the format: a live object is available to a view of another level")
  func sharedFormat() {
    let wrapper = TypeWrapper.holding(User(), transformer: .codable(User.self).zlib(level: 1))
    #expect(wrapper.cachedObject(as: .codable(User.self).zlib(level: 9)) == User())
    #expect(wrapper.cachedObject(as: .codable(User.self)) == nil)
    #expect(wrapper.cachedObject(as: .codable(User.self).zlib().zlib()) == nil)
    #expect(wrapper.cachedObject(as: .propertyList(User.self).zlib()) == nil)
  }

  @Test("the error for bytes that inflate to something else names the failed step")
  func whichStep() throws {
    let users = Transformer.codable(User.self).zlib()
    #expect(throws: StorageError.transformerFail) { try users.fromData(Data("plain".utf8)) }
    let number = try Transformer.codable(Int.self).zlib().toData(5)
    #expect(throws: StorageError.decodingFailed) { try users.fromData(number) }
  }

  @Test("idle streams are kept: one for sequential calls, at most eight")
  func pool() throws {
    let pool = ContextPool.streams(.deflating(level: 6))
    for _ in 0..<10 { _ = try pool.withContext { try $0.process(prose(100), maximumSize: .max) } }
    #expect(pool.restingCount == 1)

    func nest(_ depth: Int) throws {
      if depth > 0 { try pool.withContext { _ in try nest(depth - 1) } }
    }
    try nest(20)
    #expect(pool.restingCount == 8)
  }

  @Test("an invalid level traps")
  func badLevel() async {
    await #expect(processExitsWith: .failure) { _ = ByteTransformer.zlib(level: 0) }
    await #expect(processExitsWith: .failure) { _ = ByteTransformer.zlib(level: 10) }
  }
}
