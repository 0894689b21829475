import Foundation
import StrataCore

struct Person: Codable, Equatable, Hashable, Sendable {
  var name = "Ada"
  var born = 1815
  var friend: String?
}

/// A value that does not let itself be encoded.
struct Refusing: Codable, Sendable {
  struct Refusal: Error {}

  init() {}
  init(from decoder: any Decoder) throws { throw Refusal() }
  func encode(to encoder: any Encoder) throws { throw Refusal() }
}

/// A value that looks at what is there to find out what it is.
enum Shape: Codable, Hashable, Sendable {
  case number(Int)
  case list([Shape])

  static let samples: [Shape] = [.number(5), .list([.number(5)]), .list([.list([])]), .list([])]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = .number(try container.decode(Int.self))
    } catch {
      self = .list(try container.decode([Shape].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .list(let list): try container.encode(list)
    }
  }
}

extension ByteTransformer {
  /// A step that is easy to see: one more byte at the end.
  static func appending(_ byte: UInt8) -> ByteTransformer {
    ByteTransformer(
      encode: { $0 + [byte] },
      decode: { data in
        guard data.last == byte else { throw StorageError.transformerFail }
        return data.dropLast()
      })
  }
}

/// The ways in which a `Codable` value becomes bytes.
enum Coder: CaseIterable, Sendable {
  case json, propertyList

  func transformer<Value: Codable & Sendable>(for type: Value.Type) -> Transformer<Value> {
    switch self {
    case .json: .codable(type)
    case .propertyList: .propertyList(type)
    }
  }
}
