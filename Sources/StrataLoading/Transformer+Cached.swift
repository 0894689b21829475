#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension Transformer {
  /// Returns a transformer of entries: a header, and the bytes that this transformer makes of the value.
  ///
  /// Bytes without a header are read as values that are fresh for as long as they are stored. Tags and validators are
  /// compressed and encrypted like values; the times and the presence of a value are not.
  public func cached(_ policy: LoadPolicy = LoadPolicy()) -> Transformer<Cached<Value>> {
    let steps = byteSteps
    return wrapped(
      "cached",
      inner: { bytes in
        guard let (_, count) = try CachedHeader.read(bytes) else { return bytes }
        return Data(bytes.dropFirst(count))
      },
      toData: { cached in
        let details = try cached.details.flatMap { details in
          details.isEmpty ? nil : try steps.reduce(details.bytes) { try $1.encode($0) }
        }
        let header = CachedHeader(
          end: cached.end, began: cached.began, loadTime: cached.loadTime, generation: cached.generation,
          details: details, isAbsent: cached.value == nil)
        return try header.bytes + (cached.value.map(toData) ?? Data())
      },
      fromData: { bytes in
        guard let (header, count) = try CachedHeader.read(bytes) else {
          return Cached(try fromData(bytes), end: .infinity, began: 0)
        }
        let details = try header.details.map { details in
          try CachedDetails(steps.reversed().reduce(details) { try $1.decode($0) })
        }
        let value = header.isAbsent ? nil : try fromData(Data(bytes.dropFirst(count)))
        return Cached(
          value, end: header.end, began: header.began, loadTime: header.loadTime,
          generation: header.generation, details: details
        ).due(by: policy)
      })
  }
}

extension CachedDetails {
  /// The cost, or the smallest number for none; the validator and the tags, each as its length and its text.
  var bytes: Data {
    var bytes = Data()
    bytes.append(number: cost ?? .min)
    bytes.append(number: UInt32(validator.map { $0.text.utf8.count + 1 } ?? 0))
    bytes.append(contentsOf: validator?.text.utf8 ?? "".utf8)
    for mark in tags {
      bytes.append(number: mark.generation)
      bytes.append(number: UInt32(mark.tag.name.utf8.count))
      bytes.append(contentsOf: mark.tag.name.utf8)
    }
    return bytes
  }

  init(_ bytes: Data) throws {
    var reader = ByteReader(bytes)
    let cost: Int = reader.number()
    self.cost = cost == .min ? nil : cost
    let count = Int(reader.number() as UInt32)
    if count > 0 { validator = Validator(String(decoding: reader.bytes(count - 1), as: UTF8.self)) }
    while reader.isIntact, !reader.isAtEnd {
      let generation: UInt64 = reader.number()
      let name = reader.bytes(Int(reader.number() as UInt32))
      tags.append(TagMark(tag: Tag(String(decoding: name, as: UTF8.self)), generation: generation))
    }
    guard reader.isIntact else {
      throw StorageError.decodingFailed.with("the tags of a loaded value are truncated")
    }
  }
}
