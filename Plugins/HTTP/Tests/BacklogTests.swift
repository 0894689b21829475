#if canImport(FoundationNetworking)
  import Foundation
  import TestSupport
  import Testing

  @testable import StrataHTTP

  @Suite(.endsInTime) struct BacklogTests {
    @Test(
      "a reader gets the bytes in the order of their arrival, whether it is faster or slower than they are",
      arguments: [1, 300, 100_000])
    func order(_ limit: Int) async throws {
      let count = Soak.rounds(150_000, soak: 2_000_000)
      let backlog = Backlog(limit: limit)
      let writer = Thread {
        for number in 0..<count {
          do { try backlog.add(withUnsafeBytes(of: UInt64(number)) { Data($0) }) } catch {
            return backlog.end(.failure(error))
          }
        }
        backlog.end(.success(()))
      }
      writer.start()
      var read = 0
      var rest = Data()
      while let part = try await backlog.next() {
        rest += part
        let numbers = rest.withUnsafeBytes { bytes in
          (0..<bytes.count / 8).map { Int(bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) }
        }
        try #require(
          numbers.elementsEqual(read..<read + numbers.count), "after \(read) came \(numbers.prefix(3))")
        read += numbers.count
        rest = Data(rest.dropFirst(8 * numbers.count))
      }
      #expect(read == count && rest.isEmpty)
    }
  }
#endif
