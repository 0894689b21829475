import Foundation

/// Values of one length that all differ: a store may see that it is given what it has already, and not write it.
struct Values: Sendable {
  let first: Data
  private let all: [Data]

  init(_ count: Int, size: Int) {
    all = (0..<count).map { number in
      // Every part of a value differs, since a store may compare page by page.
      Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
    }
    first = all[0]
  }

  subscript(number: Int) -> Data { all[number % all.count] }
}
