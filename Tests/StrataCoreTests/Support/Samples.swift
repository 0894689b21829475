import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines

struct Person: Codable, Equatable, Hashable, Sendable {
  var name = "Ada"
  var born = 1815
  var friend: String?
}

/// A value whose encoding fails.
struct Refusing: Codable, Sendable {
  struct Refusal: Error {}

  init() {}
  init(from decoder: any Decoder) throws { throw Refusal() }
  func encode(to encoder: any Encoder) throws { throw Refusal() }
}

/// A value whose decoding tries several shapes.
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
  /// A transformation that is easy to recognize: it appends one byte.
  static func appending(_ byte: UInt8) -> ByteTransformer {
    ByteTransformer(
      encode: { $0 + [byte] },
      decode: { data in
        guard data.last == byte else { throw StorageError.transformerFail }
        return data.dropLast()
      })
  }
}

/// The formats of a `Codable` value.
enum Coder: CaseIterable, Sendable {
  case json, propertyList

  func transformer<Value: Codable & Sendable>(for type: Value.Type) -> Transformer<Value> {
    switch self {
    case .json: .codable(type)
    case .propertyList: .propertyList(type)
    }
  }
}
