import Dispatch
import Foundation
import StrataZstd
import TestSupport
import Testing

@Suite("zstd: written values are read", .endsInTime)
struct ZstdRoundTripTests {
  static let sizes = [0, 1, 2, 100, 65_535, 65_536, 65_537, 200_000, 3 << 20]

  @Test("values of any size are read unchanged, compressible or not", arguments: sizes)
  func size(_ size: Int) throws {
    let zstd = ByteTransformer.zstd()
    for data in [noise(size), prose(size), Data(count: size)] {
      let bytes = try zstd.encode(data)
      #expect(bytes.count <= data.count + 1)
      #expect(try zstd.decode(bytes) == data)
    }
  }

  @Test("the output of each level is read by every other level", arguments: [-7, -1, 1, 3, 9, 19, 22])
  func level(_ level: Int) throws {
    let data = prose(100_000) + noise(10_000)
    let bytes = try ByteTransformer.zstd(level: level).encode(data)
    #expect(bytes.count < data.count / 5)
    #expect(try ByteTransformer.zstd().decode(bytes) == data)
  }

  @Test("an invalid level traps")
  func badLevel() async {
    await #expect(processExitsWith: .failure) { _ = ByteTransformer.zstd(level: 23) }
    await #expect(processExitsWith: .failure) { _ = ByteTransformer.zstd(level: -8) }
  }

  @Test("equal values give equal bytes, whatever the context did before")
  func deterministic() throws {
    let zstd = ByteTransformer.zstd()
    let first = try zstd.encode(prose(70_000))
    _ = try ByteTransformer.zstd(level: 19, checksum: false).encode(noise(70_000))
    #expect(try zstd.encode(prose(70_000)) == first)
  }

  @Test("a slice whose indices do not start at zero is read correctly")
  func slice() throws {
    let zstd = ByteTransformer.zstd()
    for slice in [prose(5000).dropFirst(1234), noise(5000).dropFirst(1234)] {
      let bytes = try zstd.encode(slice)
      let back = try zstd.decode((noise(99) + bytes).dropFirst(99))
      #expect(back == Data(slice))
      #expect(back.startIndex == 0)
    }
  }

  @Test("a kept context works after a failure")
  func afterFailure() throws {
    let zstd = ByteTransformer.zstd(maximumSize: 10_000)
    let good = try zstd.encode(prose(9000))
    let large = try ByteTransformer.zstd().encode(prose(20_000))
    for bad in [Data(good.dropLast(7)), noise(500), good + [1], large] {
      #expect(throws: StorageError.self) { try zstd.decode(bad) }
      #expect(try zstd.decode(good) == prose(9000))
    }
  }

  @Test("many threads use one transformer, with a dictionary and without")
  func concurrency() throws {
    let dictionary = try ZstdDictionary.trained(on: records(200))
    let transformers: [ByteTransformer] = [.zstd(level: 1), .zstd(dictionary: dictionary)]
    let values = records(100, seed: 2)
    let wrong = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      let data = index % 4 < 2 ? noise(index * 200, seed: UInt64(index)) : values[index % values.count]
      let zstd = transformers[index % 2]
      let back = Result { try zstd.decode(zstd.encode(data)) }
      if case .success(data) = back { return }
      wrong.withLock { $0.append(index) }
    }
    #expect(wrong.withLock { $0 } == [])
  }
}
