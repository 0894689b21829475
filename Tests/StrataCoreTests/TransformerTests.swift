import Foundation
import StrataCore
import TestSupport
import Testing

@Suite("Transformer: values become bytes and come back")
struct TransformerTests {
  @Test("JSON and property lists bring back any type", arguments: Sample.all, Coder.allCases)
  func roundTrip(_ sample: Sample, _ coder: Coder) throws { try sample.check(coder) }

  @Test("JSON is plain: other tools read what is at the top")
  func plainJSON() throws {
    #expect(try Transformer.codable(Int.self).toData(5) == Data("5".utf8))
    #expect(try Transformer.codable(String.self).toData("x") == Data(#""x""#.utf8))
    #expect(try Transformer.codable(Bool?.self).toData(nil) == Data("null".utf8))
  }

  @Test("data passes as it is")
  func data() throws {
    let bytes = Data([0, 255, 0])
    #expect(try Transformer.data.toData(bytes) == bytes)
    #expect(try TransformerFactory.forData().fromData(bytes) == bytes)
  }

  @Test("the factory makes JSON")
  func factory() throws {
    let bytes = try TransformerFactory.forCodable(ofType: Person.self).toData(Person())
    #expect(try Transformer.codable(Person.self).fromData(bytes) == Person())
  }

  @Test(
    "bytes that are no such value throw", arguments: Coder.allCases, [Data(), Data("{".utf8), Data([0, 1])])
  func undecodable(_ coder: Coder, _ bytes: Data) throws {
    let people = coder.transformer(for: Person.self)
    let error = try #require(throws: StorageError.self) { try people.fromData(bytes) }
    #expect(error == .decodingFailed)
    #expect(error.message.contains("Person"))
    #expect(error.cause is DecodingError)
  }

  @Test("a value of another type throws", arguments: Coder.allCases)
  func otherType(_ coder: Coder) throws {
    let bytes = try coder.transformer(for: Person.self).toData(Person())
    #expect(throws: StorageError.decodingFailed) { try coder.transformer(for: [Int].self).fromData(bytes) }
    #expect(throws: StorageError.decodingFailed) { try coder.transformer(for: String.self).fromData(bytes) }
  }

  @Test("a number that JSON does not have throws", arguments: [Double.nan, .infinity, -.infinity])
  func unencodable(_ number: Double) throws {
    let numbers = Transformer.codable(Double.self)
    let error = try #require(throws: StorageError.self) { try numbers.toData(number) }
    #expect(error == .encodingFailed)
    #expect(error.cause is EncodingError)
  }

  @Test("a value that refuses to be encoded says so, in a property list too", arguments: Coder.allCases)
  func refusal(_ coder: Coder) throws {
    let error = try #require(throws: StorageError.self) {
      try coder.transformer(for: Refusing.self).toData(Refusing())
    }
    #expect(error == .encodingFailed)
    #expect("\(error)".contains("Refusal"))
  }

  @Test("steps are taken in their order when writing, and backwards when reading")
  func then() throws {
    let transformer = Transformer.data.then(.appending(1)).then(.appending(2))
    #expect(try transformer.toData(Data()) == Data([1, 2]))
    #expect(try transformer.fromData(Data([1, 2])) == Data())
    #expect(throws: StorageError.transformerFail) { try transformer.fromData(Data([2, 1])) }
  }

  @Test("an error of a step is passed on as it is")
  func stepFails() {
    let failing = ByteTransformer(encode: { _ in throw Failure.first }, decode: { _ in throw Failure.second })
    let transformer = Transformer.codable(Int.self).then(failing)
    #expect(throws: Failure.first) { try transformer.toData(1) }
    #expect(throws: Failure.second) { try transformer.fromData(Data("1".utf8)) }
  }
}

@Suite("Transformer: values at the top of a property list")
struct PropertyListTopTests {
  @Test("a single value is an array of one to other tools")
  func wrapped() throws {
    let bytes = try Transformer.propertyList(Int.self).toData(5)
    let seen = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(seen as? [Int] == [5])
  }

  @Test("arrays and structs stand at the top themselves")
  func unwrapped() throws {
    let bytes = try Transformer.propertyList([Int].self).toData([5, 6])
    let array = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(array as? [Int] == [5, 6])
    let person = try Transformer.propertyList(Person.self).toData(Person())
    let dictionary = try PropertyListSerialization.propertyList(from: person, format: nil)
    #expect((dictionary as? [String: Any])?["name"] as? String == "Ada")
  }

  @Test("an array is no single value", arguments: [[], [1], [1, 2]])
  func notConfused(_ array: [Int]) throws {
    let bytes = try Transformer.propertyList([Int].self).toData(array)
    #expect(throws: StorageError.decodingFailed) { try Transformer.propertyList(Int.self).fromData(bytes) }
  }

  @Test("an array of one array stays one", arguments: [[[1]], [[]], [[1], [2]]])
  func nested(_ array: [[Int]]) throws {
    let transformer = Transformer.propertyList([[Int]].self)
    #expect(try transformer.fromData(transformer.toData(array)) == array)
  }

  @Test("an array of one that another program wrote is read")
  func foreign() throws {
    let bytes = try PropertyListSerialization.data(fromPropertyList: ["x"], format: .binary, options: 0)
    #expect(try Transformer.propertyList([String].self).fromData(bytes) == ["x"])
    #expect(throws: StorageError.decodingFailed) { try Transformer.propertyList([Int].self).fromData(bytes) }
  }

  @Test("a type that may be a number or an array comes back as what it was", arguments: Shape.samples)
  func polymorphic(_ shape: Shape) throws {
    let transformer = Transformer.propertyList(Shape.self)
    #expect(try transformer.fromData(transformer.toData(shape)) == shape)
  }
}
