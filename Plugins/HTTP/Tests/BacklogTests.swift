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
        while rest.count >= 8 {
          let number = rest.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
          try #require(number == read, "number \(number) instead of \(read)")
          rest = Data(rest.dropFirst(8))
          read += 1
        }
      }
      #expect(read == count && rest.isEmpty)
    }
  }
#endif
