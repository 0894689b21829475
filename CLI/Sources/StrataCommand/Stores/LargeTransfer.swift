import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The copy of a value that is too large for memory, a part at a time.
struct LargeTransfer: Sendable {
  /// The result of a copy.
  enum Outcome {
    /// The value was copied, or would be in a dry run.
    case copied(bytes: Int)
    /// The target already has the same bytes with the same expiry.
    case same
    /// Nothing is stored any more, or the value is damaged and was reported.
    case skipped
  }

  let from: OpenStore
  /// The target; `nil` in a dry run whose target does not exist.
  let to: OpenStore?
  /// Whether the target may already have the value.
  let compares: Bool
  let isDry: Bool
  /// Whether the written value is read again.
  let isChecked: Bool

  /// Copies a value.
  ///
  /// - Parameter onPart: called with the number of bytes of each part that has been written. If it throws, the target
  ///   is unchanged.
  func run(_ key: String, onPart: (Int) async throws -> Void) async throws -> Outcome {
    guard let source = try await from.stream(key), !source.expiry.isExpired(by: from.storage.clock) else {
      return .skipped
    }
    if compares {
      guard let isSame = try await from.skippingDamage(key, { try await hasSame(source, key, onPart) }) else {
        return .skipped
      }
      if isSame { return .same }
    }
    guard !isDry, let to else { return .copied(bytes: source.length) }
    let staged = try await to.storage.stage(key, source.expiry, [])
    var sum = ByteSum()
    do {
      var parts = source.makeAsyncIterator()
      while let part = try await from.skippingDamage(key, { try await parts.next() }) {
        guard let part else {
          try await staged.commit(ifAbsent: false)
          if isChecked { try await check(key, source, sum.value) }
          return .copied(bytes: source.length)
        }
        try await staged.append(part)
        sum.add(part)
        try await onPart(part.count)
      }
      await staged.discard()
      return .skipped
    } catch {
      await staged.discard()
      throw error
    }
  }

  /// Returns whether the target has the same bytes with the same expiry. Reads both a part at a time, up to the first
  /// difference.
  private func hasSame(
    _ source: StoredBytes, _ key: String, _ onPart: (Int) async throws -> Void
  ) async throws -> Bool {
    guard let to, let target = try await entry(key, in: to), target.length == source.length,
      target.expiry.isSame(as: source.expiry)
    else { return false }
    // Stores have parts of different sizes.
    var (parts, left) = (source.makeAsyncIterator(), Data())
    do {
      for try await part in target {
        var rest = part
        while !rest.isEmpty {
          if left.isEmpty { left = try await parts.next() ?? Data() }
          let count = min(rest.count, left.count)
          if count == 0 || rest.prefix(count) != left.prefix(count) { return false }
          rest = rest.dropFirst(count)
          left = left.dropFirst(count)
        }
        try await onPart(0)
      }
    } catch let error as StorageError where error == .malformedFileAttributes {
      // A damaged value of the target differs, and is written again. If the source is damaged, writing finds it.
      return false
    }
    return true
  }

  private func entry(_ key: String, in store: OpenStore) async throws -> StoredBytes? {
    do { return try await store.storage.stream(key, nil, []) } catch let error as StorageError
      where error == .malformedFileAttributes
    { return nil }
  }

  /// Reads the value back from the target. Throws if it is missing or differs from the written one.
  private func check(_ key: String, _ source: StoredBytes, _ written: Int) async throws {
    guard let to else { return }
    var sum = ByteSum()
    if let target = try await entry(key, in: to), target.length == source.length,
      target.expiry.isSame(as: source.expiry)
    {
      for try await part in target { sum.add(part) }
      if sum.value == written { return }
    }
    try Transfer.expectExpired(key, source.expiry, in: to)
  }
}

/// A hash of many bytes, which does not depend on the parts in which they come.
struct ByteSum {
  private static let block = 1 << 16
  private var hasher = Hasher()
  private var rest = Data()

  mutating func add(_ part: Data) {
    rest.append(part)
    // A hasher need not give the same result for the same bytes in other portions.
    while rest.count >= Self.block {
      rest.prefix(Self.block).withUnsafeBytes { hasher.combine(bytes: $0) }
      rest = rest.dropFirst(Self.block)
    }
    rest = Data(rest)
  }

  /// The hash of all bytes so far, in this process.
  var value: Int {
    var hasher = hasher
    rest.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
