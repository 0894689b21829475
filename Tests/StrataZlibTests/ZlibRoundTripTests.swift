import Dispatch
import Foundation
import StrataCore
import StrataZlib
import TestSupport
import Testing

@Suite("zlib: written values are read")
struct ZlibRoundTripTests {
  static let sizes = [0, 1, 2, 100, 65_535, 65_536, 65_537, 200_000, 3 << 20]

  @Test("values of any size are read unchanged, compressible or not", arguments: sizes)
  func size(_ size: Int) throws {
    let zlib = ByteTransformer.zlib()
    for data in [noise(size), prose(size), Data(count: size)] {
      #expect(try zlib.decode(zlib.encode(data)) == data)
    }
  }

  @Test("the output of each level is read by every other level", arguments: 1...9)
  func level(_ level: Int) throws {
    let data = prose(100_000) + noise(10_000)
    let bytes = try ByteTransformer.zlib(level: level).encode(data)
    #expect(bytes.count < data.count / 5)
    #expect(try ByteTransformer.zlib(level: 10 - level).decode(bytes) == data)
  }

  @Test("the requested level is used")
  func levelMatters() throws {
    let data = try JSONEncoder().encode((0..<2000).map { User(id: $0 * 7919, name: "user \($0 % 97)") })
    let sizes = try [1, 6, 9].map { try ByteTransformer.zlib(level: $0).encode(data).count }
    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2], "\(sizes)")
  }

  @Test("equal values give equal bytes in every call")
  func deterministic() throws {
    let zlib = ByteTransformer.zlib()
    let first = try zlib.encode(prose(70_000))
    _ = try zlib.encode(noise(70_000))
    #expect(try zlib.encode(prose(70_000)) == first)
  }

  @Test("a slice whose indices do not start at zero is read correctly")
  func slice() throws {
    let zlib = ByteTransformer.zlib()
    let slice = prose(5000).dropFirst(1234)
    let bytes = try zlib.encode(slice)
    #expect(try zlib.decode((noise(99) + bytes).dropFirst(99)) == Data(slice))
  }

  @Test("a kept stream works after a failure")
  func afterFailure() throws {
    let zlib = ByteTransformer.zlib(maximumSize: 10_000)
    let good = try zlib.encode(prose(9000))
    let large = try ByteTransformer.zlib().encode(prose(20_000))
    for bad in [Data(good.dropLast(7)), noise(500), good + [1], large] {
      #expect(throws: StorageError.self) { try zlib.decode(bad) }
      #expect(try zlib.decode(good) == prose(9000))
    }
  }

  @Test("many threads use one transformer")
  func concurrency() {
    let zlib = ByteTransformer.zlib(level: 1)
    let wrong = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      let data = index.isMultiple(of: 2) ? noise(index * 200, seed: UInt64(index)) : prose(index * 200)
      let back = Result { try zlib.decode(zlib.encode(data)) }
      if case .success(data) = back { return }
      wrong.withLock { $0.append(index) }
    }
    #expect(wrong.withLock { $0 } == [])
  }
}
