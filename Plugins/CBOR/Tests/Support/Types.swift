import Foundation

enum Colour: String, Codable, CodingKeyRepresentable { case red, green }

struct Point: Codable, Hashable { var x, y: Int }

struct Person: Codable, Equatable {
  var name: String
  var age: Int?
  var friends: [Person]

  static let ada = Person(name: "Ada", age: 36, friends: [Person(name: "Charles", age: nil, friends: [])])
}

indirect enum Shape: Codable, Equatable {
  case empty
  case circle(radius: Double)
  case polygon([Point], name: String)
  case wrapped(Shape)
}

/// A class whose superclass writes to a separate encoder.
class Employee: Codable {
  var name: String
  init(name: String) { self.name = name }
}

final class Manager: Employee, Equatable {
  var team: [String]

  init(name: String, team: [String]) {
    self.team = team
    super.init(name: name)
  }

  private enum Keys: CodingKey { case team }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    team = try container.decode([String].self, forKey: .team)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try super.encode(to: container.superEncoder())
    try container.encode(team, forKey: .team)
  }

  static func == (one: Manager, other: Manager) -> Bool { one.name == other.name && one.team == other.team }
}

/// A class that writes into the map of its superclass.
final class Heir: Employee, Equatable {
  var title: String

  init(name: String, title: String) {
    self.title = title
    super.init(name: name)
  }

  private enum Keys: CodingKey { case title }

  required init(from decoder: any Decoder) throws {
    title = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .title)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(title, forKey: .title)
  }

  static func == (one: Heir, other: Heir) -> Bool { one.name == other.name && one.title == other.title }
}

/// Writes to three containers in turn.
struct Turns: Codable, Equatable {
  var first, second: [Int]
  var third: [String: Int]

  enum CodingKeys: CodingKey { case first, second, third }

  init(first: [Int], second: [Int], third: [String: Int]) {
    (self.first, self.second, self.third) = (first, second, third)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var first = container.nestedUnkeyedContainer(forKey: .first)
    var second = container.nestedUnkeyedContainer(forKey: .second)
    var third = container.nestedContainer(keyedBy: Name.self, forKey: .third)
    for place in 0..<max(self.first.count, self.second.count) {
      if place < self.second.count { try second.encode(self.second[place]) }
      if place < self.first.count { try first.encode(self.first[place]) }
    }
    for (key, value) in self.third { try third.encode(value, forKey: Name(stringValue: key)) }
  }
}

struct Name: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Requests its container twice, and writes one key twice.
struct Merged: Encodable {
  func encode(to encoder: any Encoder) throws {
    var one = encoder.container(keyedBy: Name.self)
    try one.encode(1, forKey: Name(stringValue: "a"))
    var other = encoder.container(keyedBy: Name.self)
    try other.encode(2, forKey: Name(stringValue: "b"))
    try other.encode(3, forKey: Name(stringValue: "a"))
  }
}

/// Requests encoders for superclasses, and uses them only after further writes.
struct LateSuper: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    let late = container.superEncoder()
    let single = container.superEncoder(forKey: Name(stringValue: "other"))
    try container.encode([9], forKey: Name(stringValue: "after"))
    var value = single.singleValueContainer()
    try value.encode([7])
    var array = late.unkeyedContainer()
    try array.encode(1)
    try array.encode(2)
  }
}

struct Failing: Encodable {
  struct Inner: Encodable {
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(0, .init(codingPath: encoder.codingPath, debugDescription: "refused"))
    }
  }
  var field = Inner()
}

/// Catches the errors of its elements.
struct Forgiving: Encodable {
  struct Half: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode([1, 2, 3])
      throw CancellationError()
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    do { try container.encode(Half(), forKey: Name(stringValue: "bad")) } catch is CancellationError {}
    var good = container.nestedUnkeyedContainer(forKey: Name(stringValue: "good"))
    try good.encode(1)
    do { try good.encode(Half()) } catch is CancellationError {}
    try good.encode(4)
    try container.encode([5], forKey: Name(stringValue: "more"))
  }
}

struct Contextual: Codable {
  static let key: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "context") else { preconditionFailure("a name is a key") }
    return key
  }()
  var seen = ""

  init() {}
  init(from decoder: any Decoder) throws {
    seen = try decoder.singleValueContainer().decode(String.self) + " \(decoder.userInfo[Self.key] ?? "")"
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(encoder.userInfo[Self.key] ?? "")")
  }
}

struct Deferred: Decodable {
  enum Keys: CodingKey { case a }
  let container: KeyedDecodingContainer<Keys>
  init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Keys.self) }
}

final class Hoarder: Encodable {
  enum Keys: CodingKey { case a }
  var container: KeyedEncodingContainer<Keys>?
  func encode(to encoder: any Encoder) throws { container = encoder.container(keyedBy: Keys.self) }
}

/// Writes two values to a single-value container.
struct Twice: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(1)
    try container.encode(2)
  }
}
