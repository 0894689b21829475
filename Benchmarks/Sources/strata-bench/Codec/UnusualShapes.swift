import Foundation

/// Shapes of values in which CBOR could be slower than JSON: keys that only the value knows, containers without
/// contents, types of Foundation, superclasses.
enum UnusualShapes {
  /// Any tree of maps, lists, numbers and texts, as programs read it that know no type.
  indirect enum Tree: Codable, Sendable {
    case number(Int)
    case text(String)
    case list([Tree])
    case map([String: Tree])

    init(levels: Int) {
      var tree = Tree.number(0)
      for level in 1...levels {
        tree = .map([
          "left": tree, "list": .list([.number(level), .text("item \(level)")]), "n": .number(level),
        ])
      }
      self = tree
    }

    init(from decoder: any Decoder) throws {
      if let map = try? decoder.container(keyedBy: AnyKey.self) {
        self = .map(
          try Dictionary(
            uniqueKeysWithValues: map.allKeys.map { ($0.stringValue, try map.decode(Tree.self, forKey: $0)) })
        )
      } else if var list = try? decoder.unkeyedContainer() {
        var items: [Tree] = []
        while !list.isAtEnd { items.append(try list.decode(Tree.self)) }
        self = .list(items)
      } else {
        let single = try decoder.singleValueContainer()
        if let number = try? single.decode(Int.self) {
          self = .number(number)
        } else {
          self = .text(try single.decode(String.self))
        }
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .number(let number): try number.encode(to: encoder)
      case .text(let text): try text.encode(to: encoder)
      case .list(let items): try items.encode(to: encoder)
      case .map(let pairs):
        var map = encoder.container(keyedBy: AnyKey.self)
        for (key, value) in pairs { try map.encode(value, forKey: AnyKey(stringValue: key)) }
      }
    }
  }

  struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  enum Event: Codable, Sendable {
    case login(user: String, at: Double)
    case purchase(id: Int, items: [String])
    case ping

    init(_ number: Int) {
      self =
        switch number % 3 {
        case 0: .login(user: "user \(number)", at: Double(number))
        case 1: .purchase(id: number, items: ["a", "b"])
        default: .ping
        }
    }
  }

  struct Item: Codable, Sendable {
    let id: UUID, page: URL, added: Date, price: Decimal

    init?(_ number: Int) {
      guard let page = URL(string: "https://example.com/items/\(number)?sort=price") else { return nil }
      self.page = page
      id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(truncatingIfNeeded: number)))
      added = Date(timeIntervalSince1970: Double(number) * 1000.5)
      price = Decimal(number) / 7
    }
  }

  /// Contains only containers without contents.
  struct Hollow: Codable, Sendable {
    struct Nothing: Codable, Sendable {}
    var nothing = Nothing(), list: [Nothing] = [], map: [String: Nothing] = [:], absent: Nothing?
  }

  /// A value in its own fields, deep.
  struct Link: Codable, Sendable {
    let number: Int??
    let next: [Link]?

    init(levels: Int) {
      number = levels.isMultiple(of: 2) ? .some(nil) : levels
      next = levels == 0 ? nil : [Link(levels: levels - 1)]
    }
  }

  /// Requests its fields in the order opposite to that of writing.
  struct Backwards: Codable, Sendable {
    var a = 1, b = "two", c = 3.5, d = true, e = [5], f = "six", g = 7, h = 8.25

    init() {}

    init(from decoder: any Decoder) throws {
      let map = try decoder.container(keyedBy: CodingKeys.self)
      h = try map.decode(Double.self, forKey: .h)
      g = try map.decode(Int.self, forKey: .g)
      f = try map.decode(String.self, forKey: .f)
      e = try map.decode([Int].self, forKey: .e)
      d = try map.decode(Bool.self, forKey: .d)
      c = try map.decode(Double.self, forKey: .c)
      b = try map.decode(String.self, forKey: .b)
      a = try map.decode(Int.self, forKey: .a)
    }
  }
}
