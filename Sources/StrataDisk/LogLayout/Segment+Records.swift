extension Segment {
  /// Calls `body` for the records from an offset on, with the bytes of each. Stops at `end`, or at the first record
  /// boundary after `count` bytes. Returns the offset it reached.
  ///
  /// - Parameter checksValues: See `LogScan.walk`.
  func forEachRecord(
    from start: Int, atLeast count: Int, end: Int, checksValues: Bool = true,
    _ body: (LogScan.Item, UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    var position = start
    var wanted = max(count, 1 << 16)
    while position < end, position - start < count {
      let upper = min(end, position + wanted)
      let bytes = try bytes(position..<upper)
      let done = try bytes.withUnsafeBytes { bytes in
        try walkWhole(bytes, at: position, isLast: upper == end, checksValues: checksValues, body)
      }
      if bytes.isEmpty { return end }
      // No whole record: it is longer than the bytes read, or damaged. Reading the rest of the segment shows which.
      wanted = done == 0 ? end - position : max(count, 1 << 16)
      position += done
    }
    return position
  }

  /// Calls `body` for the whole records; returns their length in bytes.
  private func walkWhole(
    _ bytes: UnsafeRawBufferPointer, at start: Int, isLast: Bool, checksValues: Bool,
    _ body: (LogScan.Item, UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    var done = 0
    try LogScan.walk(bytes, from: start, seed: header.seed, checksValues: checksValues) { item in
      let range = item.range.lowerBound - start..<item.range.upperBound - start
      // Damage up to the end of the bytes read may be a record that continues after them.
      if case .damage = item, range.upperBound == bytes.count, !isLast { return }
      try body(item, bytes.part(range))
      done = range.upperBound
    }
    return done
  }
}
