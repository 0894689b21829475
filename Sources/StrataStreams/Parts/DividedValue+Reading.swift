#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DividedValue {
  /// The number of parts that are read at once.
  private var step: Int { max(1, StoredBytes.partSize / partSize) }

  /// The numbers of all parts, about a megabyte at a time.
  package var steps: [Range<Int>] {
    stride(from: 0, to: partCount, by: step).map { $0..<min($0 + step, partCount) }
  }

  /// Returns the value's bytes, which are read from a place, about a megabyte at a time.
  package func bytes<Place: PartPlace>(
    _ range: Range<Int>?, _ expiry: Expiry, in place: Place, _ name: Place.Name
  ) -> StoredBytes {
    StoredBytes(length: length, range: range, expiry: expiry, version: id.text) { range in
      var rest = range.parts(of: partSize)
      return {
        let some = rest.prefix(step)
        if some.isEmpty { return nil }
        rest = some.upperBound..<rest.upperBound
        // Otherwise the C library would keep much of the memory of the last parts, for each of the store's threads.
        if some.lowerBound / step % 4 == 3 { FreedMemory.giveBack() }
        do { return try await read(some, range, in: place, name) } catch let error as StorageError {
          throw place.explained(error, name)
        }
      }
    }
  }

  /// Returns the bytes of a range that lie in some parts.
  private func read<Place: PartPlace>(
    _ numbers: Range<Int>, _ range: Range<Int>, in place: Place, _ name: Place.Name
  ) async throws -> Data {
    guard let data = try await place.bytes(numbers, of: self, name) else {
      throw try await place.has(name, self) ? incomplete : .replacedMeanwhile
    }
    let start = numbers.lowerBound * partSize
    let wanted = range.clamped(to: start..<start + data.count)
    return wanted.count == data.count
      ? data : Data(data.dropFirst(wanted.lowerBound - start).prefix(wanted.count))
  }
}
