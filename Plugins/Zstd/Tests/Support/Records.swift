import Foundation
import TestSupport

/// Records of users as JSON, some 300 bytes each, as a service keeps them.
func records(_ count: Int, seed: UInt64 = 1, kind: String = "user") -> [Data] {
  var generator = SeededGenerator(seed: seed)
  func pick(_ words: [String]) -> String { words[Int.random(in: 0..<words.count, using: &generator)] }
  func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
  return (0..<count).map { _ in
    let (first, last) = (
      pick(["Ada", "Grace", "Linus", "Edsger"]), pick(["Hopper", "Perlman", "Knuth", "Lee"])
    )
    return Data(
      """
      {"\(kind)ID":\(number(10_000_000)),"\(kind)Name":"\(first) \(last)",\
      "email":"\(first.lowercased()).\(last.lowercased())\(number(1000))@example.com",\
      "city":"\(pick(["Kharkiv", "Lviv", "Oslo", "Quito"]))","visits":\(number(5000)),"isActive":true,\
      "createdAt":"2024-0\(number(9) + 1)-1\(number(10))T1\(number(10)):00:00Z","tags":["\(pick(["a", "b"]))","beta"],\
      "settings":{"theme":"\(pick(["dark", "light"]))","locale":"en_GB","notifications":{"mail":true,"push":false}}}
      """.utf8)
  }
}
