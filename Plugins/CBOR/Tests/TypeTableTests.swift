import TestSupport
import Testing

@testable import StrataCBOR

@Suite("CBOR: facts about types", .endsInTime) struct TypeTableTests {
  /// Returns a number of types that are all different.
  private static func types(_ count: Int) -> [Any.Type] {
    func list<Element>(_ type: Element.Type) -> Any.Type { [Element].self }
    return (1..<count).reduce(into: [Int.self as Any.Type]) { types, place in
      types.append(_openExistential(types[place - 1], do: list))
    }
  }

  @Test("a fact is found once, and belongs to its type; a full table has none for further types")
  func facts() {
    let table = CBORTypeTable<ObjectIdentifier>(capacity: 16)
    let types = Self.types(40)
    var known = 0
    for type in types + types {
      guard let fact = table.fact(of: type, { ObjectIdentifier(type) }) else { continue }
      #expect(fact == ObjectIdentifier(type))
      known += 1
    }
    #expect(known >= 16 && known <= 32 && known.isMultiple(of: 2))
    let again = types.filter { type in
      table.fact(of: type) {
        Issue.record("\(type) was to be found again")
        return ObjectIdentifier(type)
      } != nil
    }
    #expect(again.count == known / 2)
  }

  @Test("threads that find the same fact at the same time agree on one")
  func threads() async throws {
    final class Mark: Sendable {}
    for _ in 0..<50 {
      let table = CBORTypeTable<Unmanaged<Mark>>(capacity: 64)
      let marks = try await withThrowingTaskGroup(of: [Unmanaged<Mark>?].self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await onThread { Self.types(8).map { table.fact(of: $0) { .passRetained(Mark()) } } }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for place in 0..<8 { #expect(Set(marks.map { $0[place]?.toOpaque() }).count == 1) }
    }
  }
}
