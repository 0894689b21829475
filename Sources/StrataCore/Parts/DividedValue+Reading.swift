#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension DividedValue {
  /// The number of parts that are read at once.
  private var step: Int { max(1, StoredBytes.partSize / partSize) }

  /// Returns the parts that contain a range of the value.
  private func numbers(of range: Range<Int>) -> Range<Int> {
    range.lowerBound / partSize..<(range.upperBound + partSize - 1) / partSize
  }

  /// Returns the value's bytes, which are read from a place, about a megabyte at a time.
  package func bytes<Place: PartPlace>(
    _ range: Range<Int>?, _ expiry: Expiry, in place: Place, _ name: Place.Name
  ) -> StoredBytes {
    StoredBytes(length: length, range: range, expiry: expiry, version: id.text) { range in
      var rest = numbers(of: range)
      return {
        let some = rest.prefix(step)
        if some.isEmpty { return nil }
        rest = some.upperBound..<rest.upperBound
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
    let records = try await place.records(numbers, of: self, name)
    guard let data = try data(numbers, records) else {
      if try await place.has(name, self) { throw missing(numbers, records) }
      throw StorageError.replacedMeanwhile
    }
    let start = numbers.lowerBound * partSize
    let wanted = range.clamped(to: start..<start + data.count)
    return wanted.count == data.count ? data : Data(data.dropFirst(wanted.lowerBound - start).prefix(wanted.count))
  }

  /// Returns the bytes of parts, or `nil` if one is missing. Throws if one is damaged.
  private func data(_ numbers: Range<Int>, _ records: [Data?]) throws(StorageError) -> Data? {
    var data = Data()
    for (number, record) in zip(numbers, records) {
      guard let record else { return nil }
      let bytes = try bytes(ofPart: number, record)
      if numbers.count == 1 { return bytes }
      if data.isEmpty { data.reserveCapacity(numbers.count * partSize) }
      data.append(bytes)
    }
    return records.count == numbers.count ? data : nil
  }

  /// Returns the whole value in memory, or `nil` if a part is missing. Throws if one is damaged.
  package func whole(_ records: (_ numbers: Range<Int>) throws -> [Data?]) throws -> Data? {
    var data = Data()
    data.reserveCapacity(length)
    var rest = 0..<partCount
    while !rest.isEmpty {
      let some = rest.prefix(step)
      rest = some.upperBound..<rest.upperBound
      guard let bytes = try self.data(some, records(some)) else { return nil }
      data.append(bytes)
    }
    return data
  }

  /// Returns the error for parts of a stored value that are missing.
  package func missing(_ numbers: Range<Int>, _ records: [Data?]) -> StorageError {
    let number = zip(numbers, records).first { $0.1 == nil }?.0 ?? numbers.lowerBound + records.count
    return .malformedFileAttributes.with(
      "part \(number + 1) of the \(partCount) parts of the value is missing; remove the entry, or store it again")
  }
}
