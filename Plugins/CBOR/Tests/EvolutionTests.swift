import Foundation
import StrataCBOR
import TestSupport
import Testing

/// The README's statements on types that have changed since their values were written.
@Suite("CBOR of types that have changed since the values were written", .endsInTime) struct EvolutionTests {
  struct Old: Codable, Equatable {
    var id: Int32
    var name: String
    var height: Float
    var visits: Int
    var share: Double
    var nickname: String?
    var kind: Kind

    static let ada = Old(
      id: 7, name: "Ada", height: 1.5, visits: 41, share: 3, nickname: "Countess", kind: .guest(days: 2))
  }

  enum Kind: Codable, Equatable {
    case member
    case guest(days: Int)
  }

  /// Fields were added (`email`, `tags`), removed (`nickname`), renamed (`name`) and widened (`id`, `height`); numbers
  /// became whole and the other way round; the enum has one case more.
  struct New: Codable, Equatable {
    var id: Int64
    var fullName: String
    var height: Double
    var visits: Double
    var share: Int
    var email: String?
    var tags: [String]
    var kind: NewKind

    enum CodingKeys: String, CodingKey {
      case id, height, visits, share, email, tags, kind
      case fullName = "name"
    }

    init(id: Int64, email: String?, tags: [String], kind: NewKind) {
      (self.id, self.email, self.tags, self.kind) = (id, email, tags, kind)
      (fullName, height, visits, share) = ("Ada", 1.5, 41, 3)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int64.self, forKey: .id)
      fullName = try container.decode(String.self, forKey: .fullName)
      height = try container.decode(Double.self, forKey: .height)
      visits = try container.decode(Double.self, forKey: .visits)
      share = try container.decode(Int.self, forKey: .share)
      email = try container.decodeIfPresent(String.self, forKey: .email)
      tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? ["none"]
      kind = try container.decode(NewKind.self, forKey: .kind)
    }
  }

  enum NewKind: Codable, Equatable {
    case member
    case guest(days: Int)
    case owner(since: Int)
  }

  @Test("old values are read as the new type", arguments: [false, true])
  func read(_ isDeterministic: Bool) throws {
    var encoder = CBOREncoder()
    encoder.isDeterministic = isDeterministic
    let new = try CBORDecoder().decode(New.self, from: encoder.encode(Old.ada))
    #expect(new == New(id: 7, email: nil, tags: ["none"], kind: .guest(days: 2)))
  }

  @Test("new values can be read as the old type if their numbers fit")
  func readBack() throws {
    let encoder = CBOREncoder()
    var old = Old.ada
    old.nickname = nil
    let fitting = New(id: 7, email: "ada@example.com", tags: ["a", "b"], kind: .guest(days: 2))
    #expect(try CBORDecoder().decode(Old.self, from: encoder.encode(fitting)) == old)
    for other in [
      New(id: 1 << 40, email: nil, tags: [], kind: .member),
      New(id: 7, email: nil, tags: [], kind: .owner(since: 1)),
    ] {
      let bytes = try encoder.encode(other)
      #expect(throws: DecodingError.self) { try CBORDecoder().decode(Old.self, from: bytes) }
    }
  }

  @Test("a number that the new type cannot represent exactly is refused")
  func inexact() throws {
    var old = Old.ada
    old.share = 3.5
    let half = try CBOREncoder().encode(old)
    #expect(throws: DecodingError.self) { try CBORDecoder().decode(New.self, from: half) }
    old = .ada
    old.visits = (1 << 53) + 1
    let large = try CBOREncoder().encode(old)
    #expect(throws: DecodingError.self) { try CBORDecoder().decode(New.self, from: large) }
  }

  @Test("the error for a missing required field names it")
  func missing() throws {
    let bytes = try CBOREncoder().encode(["id": 7])
    let error = try #require(throws: DecodingError.self) { try CBORDecoder().decode(Old.self, from: bytes) }
    guard case .keyNotFound(let key, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(key.stringValue == "name")
  }
}
