extension LogSession {
  /// Imports an old value that was written as a stream, without reading it; `false` if there is none, or it cannot be
  /// imported. Then it can be read in its place.
  func adoptParts(_ key: [UInt8]) throws -> Bool {
    if control.isReadOnly || !options.old.hasFiles { return false }
    let found: OldEntries.Parts?
    // Reading the entry reports the damage.
    do { found = try options.old.parts(key) } catch is EntryFlaw { return false }
    guard let found else { return false }
    let table = found.table.renumbered()
    let record = NewRecord.parts(table, key: key, expiry: found.expiry)
    if let limit = options.limit, SegmentHeader.size + record.record.length + table.length > limit {
      return false
    }
    return try change { writer in
      // Another process may have imported, replaced or removed it meanwhile.
      guard index.find(fingerprint(key)) == nil, try FileStatus(of: found.path) != nil else { return true }
      try adopt(found.path, record, ValueFile(table), &writer)
      return true
    }
  }
}
