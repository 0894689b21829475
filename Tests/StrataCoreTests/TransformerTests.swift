import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("Transformer: values are encoded and decoded")
struct TransformerTests {
  @Test("JSON and property lists return values of any type unchanged", arguments: Sample.all, Coder.allCases)
  func roundTrip(_ sample: Sample, _ coder: Coder) throws { try sample.check(coder) }

  @Test("a single value in JSON is stored without a wrapper, so that other tools can read it")
  func plainJSON() throws {
    #expect(try Transformer.codable(Int.self).toData(5) == Data("5".utf8))
    #expect(try Transformer.codable(String.self).toData("x") == Data(#""x""#.utf8))
    #expect(try Transformer.codable(Bool?.self).toData(nil) == Data("null".utf8))
  }

  @Test("data is stored unchanged")
  func data() throws {
    let bytes = Data([0, 255, 0])
    #expect(try Transformer.data.toData(bytes) == bytes)
    #expect(try TransformerFactory.forData().fromData(bytes) == bytes)
  }

  @Test("the factory creates JSON transformers")
  func factory() throws {
    let bytes = try TransformerFactory.forCodable(ofType: Person.self).toData(Person())
    #expect(try Transformer.codable(Person.self).fromData(bytes) == Person())
  }

  @Test(
    "bytes that do not encode a value of the type throw", arguments: Coder.allCases,
    [Data(), Data("{".utf8), Data([0, 1])])
  func undecodable(_ coder: Coder, _ bytes: Data) throws {
    let people = coder.transformer(for: Person.self)
    let error = try #require(throws: StorageError.self) { try people.fromData(bytes) }
    #expect(error == .decodingFailed)
    #expect(error.message.contains("Person"))
    #expect(error.cause is DecodingError)
  }

  @Test("encoding a value of another type throws", arguments: Coder.allCases)
  func otherType(_ coder: Coder) throws {
    let bytes = try coder.transformer(for: Person.self).toData(Person())
    #expect(throws: StorageError.decodingFailed) { try coder.transformer(for: [Int].self).fromData(bytes) }
    #expect(throws: StorageError.decodingFailed) { try coder.transformer(for: String.self).fromData(bytes) }
  }

  @Test("a number without a JSON representation throws", arguments: [Double.nan, .infinity, -.infinity])
  func unencodable(_ number: Double) throws {
    let numbers = Transformer.codable(Double.self)
    let error = try #require(throws: StorageError.self) { try numbers.toData(number) }
    #expect(error == .encodingFailed)
    #expect(error.cause is EncodingError)
  }

  @Test("a value whose encoding throws is an error in a property list too", arguments: Coder.allCases)
  func refusal(_ coder: Coder) throws {
    let error = try #require(throws: StorageError.self) {
      try coder.transformer(for: Refusing.self).toData(Refusing())
    }
    #expect(error == .encodingFailed)
    #expect("\(error)".contains("Refusal"))
  }

  @Test("steps are applied in their order on writing, and in reverse on reading")
  func then() throws {
    let transformer = Transformer.data.then(.appending(1)).then(.appending(2))
    #expect(try transformer.toData(Data()) == Data([1, 2]))
    #expect(try transformer.fromData(Data([1, 2])) == Data())
    #expect(throws: StorageError.transformerFail) { try transformer.fromData(Data([2, 1])) }
  }

  @Test("an error of a step is thrown unchanged")
  func stepFails() {
    let failing = ByteTransformer(encode: { _ in throw Failure.first }, decode: { _ in throw Failure.second })
    let transformer = Transformer.codable(Int.self).then(failing)
    #expect(throws: Failure.first) { try transformer.toData(1) }
    #expect(throws: Failure.second) { try transformer.fromData(Data("1".utf8)) }
  }
}

@Suite("Transformer: single values in a property list")
struct PropertyListTopTests {
  @Test("a single value is stored as an array of one element")
  func wrapped() throws {
    let bytes = try Transformer.propertyList(Int.self).toData(5)
    let seen = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(seen as? [Int] == [5])
  }

  @Test("arrays and structs are stored without a wrapper")
  func unwrapped() throws {
    let bytes = try Transformer.propertyList([Int].self).toData([5, 6])
    let array = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(array as? [Int] == [5, 6])
    let person = try Transformer.propertyList(Person.self).toData(Person())
    let dictionary = try PropertyListSerialization.propertyList(from: person, format: nil)
    #expect((dictionary as? [String: Any])?["name"] as? String == "Ada")
  }

  @Test("an array is not decoded as a single value", arguments: [[], [1], [1, 2]])
  func notConfused(_ array: [Int]) throws {
    let bytes = try Transformer.propertyList([Int].self).toData(array)
    #expect(throws: StorageError.decodingFailed) { try Transformer.propertyList(Int.self).fromData(bytes) }
  }

  @Test("an array of one array is decoded as one", arguments: [[[1]], [[]], [[1], [2]]])
  func nested(_ array: [[Int]]) throws {
    let transformer = Transformer.propertyList([[Int]].self)
    #expect(try transformer.fromData(transformer.toData(array)) == array)
  }

  @Test("an array of one element that another program wrote is decoded")
  func foreign() throws {
    let bytes = try PropertyListSerialization.data(fromPropertyList: ["x"], format: .binary, options: 0)
    #expect(try Transformer.propertyList([String].self).fromData(bytes) == ["x"])
    #expect(throws: StorageError.decodingFailed) { try Transformer.propertyList([Int].self).fromData(bytes) }
  }

  @Test(
    "a type that encodes as a number or an array is decoded as what was encoded", arguments: Shape.samples)
  func polymorphic(_ shape: Shape) throws {
    let transformer = Transformer.propertyList(Shape.self)
    #expect(try transformer.fromData(transformer.toData(shape)) == shape)
  }
}
