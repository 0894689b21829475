import Dispatch
import Foundation
import StrataLZ4
import TestSupport
import Testing

@Suite("LZ4: written values are read", .endsInTime)
struct LZ4RoundTripTests {
  static let sizes = [0, 1, 2, 100, 65_535, 65_536, 65_537, 200_000, 3 << 20]

  @Test("values of any size are read unchanged, compressible or not", arguments: sizes)
  func size(_ size: Int) throws {
    for lz4 in [ByteTransformer.lz4(), .lz4(checksum: false)] {
      for data in [noise(size), prose(size), Data(count: size)] {
        let bytes = try lz4.encode(data)
        #expect(bytes.count <= data.count + 1)
        #expect(try lz4.decode(bytes) == data)
      }
    }
  }

  @Test("a slice whose indices do not start at zero is read correctly")
  func slice() throws {
    let lz4 = ByteTransformer.lz4()
    let slice = prose(5000).dropFirst(1234)
    let bytes = try lz4.encode(slice)
    #expect(try lz4.decode((noise(99) + bytes).dropFirst(99)) == Data(slice))
  }

  @Test("a kept context works after a failure")
  func afterFailure() throws {
    let lz4 = ByteTransformer.lz4(maximumSize: 10_000)
    let good = try lz4.encode(prose(9000))
    let large = try ByteTransformer.lz4().encode(prose(20_000))
    for bad in [Data(good.dropLast(7)), noise(500), good + [1], large] {
      #expect(throws: StorageError.self) { try lz4.decode(bad) }
      #expect(try lz4.decode(good) == prose(9000))
    }
  }

  @Test("many threads use one transformer")
  func concurrency() {
    let lz4 = ByteTransformer.lz4()
    let wrong = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      let data = index.isMultiple(of: 2) ? noise(index * 200, seed: UInt64(index)) : prose(index * 200)
      let back = Result { try lz4.decode(lz4.encode(data)) }
      if case .success(data) = back { return }
      wrong.withLock { $0.append(index) }
    }
    #expect(wrong.withLock { $0 } == [])
  }
}
