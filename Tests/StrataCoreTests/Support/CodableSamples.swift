import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import Testing

/// A type, with values that a transformer must return unchanged.
struct Sample: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (Coder) throws -> Void

  init<Value: Codable & Equatable & Sendable>(_ type: Value.Type, _ values: Value...) {
    testDescription = "\(type)"
    check = { coder in
      let transformer = coder.transformer(for: type)
      for value in values {
        let back = try transformer.fromData(transformer.toData(value))
        #expect(back == value)
      }
    }
  }

  enum Suit: String, Codable { case clubs, hearts }
  enum Rank: Int, Codable { case ace = 1, king = 13 }
  enum Card: Codable, Equatable { case joker, plain(suit: Suit, rank: Rank) }

  static let all = [
    Sample(Int.self, 0, 5, -1, .max, .min), Sample(UInt8.self, .max), Sample(UInt64.self, .max),
    Sample(Double.self, 0, 1.5, -0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude),
    Sample(Float.self, 0.1), Sample(Decimal.self, 1 / 8), Sample(Bool.self, true, false),
    Sample(String.self, "", "x", "5", "null", "\u{0}\n\"\\", "👩‍👩‍👧‍👦 日本語"),
    Sample(Int?.self, nil, 5), Sample(String?.self, nil, "x"), Sample([Int]?.self, nil, [], [5]),
    Sample([Int?].self, [nil], [nil, 5], []), Sample(Person?.self, nil, Person()),
    Sample(Suit.self, .clubs, .hearts), Sample(Rank.self, .ace, .king),
    Sample(Card.self, .joker, .plain(suit: .hearts, rank: .king)),
    Sample([Int].self, [], [5], [5, 6]), Sample([[Int]].self, [], [[5]], [[], [5]]),
    Sample([String: Int].self, [:], ["a": 1, "": 2]), Sample([Int: String].self, [1: "one", 2: "two"]),
    Sample(Set<Int>.self, [], [1, 2]), Sample(Person.self, Person(), Person(friend: "Charles")),
    Sample([Person].self, [Person()], [Person(), Person()]),
    Sample(Date.self, Date(timeIntervalSinceReferenceDate: 0.5), Date(timeIntervalSinceReferenceDate: 7e8)),
    Sample(URL.self, URL(filePath: "/a b/ü"), URL(filePath: "/")), Sample(UUID.self, UUID()),
    Sample(Data.self, Data(), Data([0, 255])),
  ]
}
