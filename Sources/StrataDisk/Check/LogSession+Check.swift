import StrataCore

extension LogSession {
  /// Checks all files of the log, and repairs them if requested.
  func check(repairing: Bool) throws -> [DiskFinding] {
    if !repairing {
      return try examine {
        var check = LogCheck(of: self, isUnfinished: control.isHalfChanged)
        try check.run()
        return check.findings
      }
    }
    return try change { writer in
      try holdPlace()
      var check = LogCheck(of: self)
      try check.run()
      let findings = check.findings
      if try restoreDeleted() {
        check = LogCheck(of: self)
        try check.run()
      }
      try repair(check, &writer)
      return findings
    }
  }

  /// Restores segments that another program has deleted while they are open here; `false` if there are none.
  private func restoreDeleted() throws -> Bool {
    guard let numbers else { return false }
    var isRestored = false
    for number in LogDamage.missing(from: try folder.segmentNumbers(), in: numbers) {
      guard let segment = segments.opened(number) else { continue }
      try restore(segment, upTo: number == control.tail.segment ? control.tail.offset : segment.length())
      isRestored = true
    }
    return isRestored
  }

  private func repair(_ check: LogCheck, _ writer: inout LogWriter) throws {
    let damage = try kept(check)
    let isDamaged = check.findings.contains { $0.kind == .damaged }
    // Before anything else: once the log is whole again, nothing shows that a file's record may be lost.
    try recountFiles(keepingOrphans: isDamaged)
    try settle(damage, removing: check.removals(in: damage))
    if damage.concerns(control.tail.segment) { leaveTail() }
    for (key, location) in check.damagedEntries {
      _ = try setAside(key, location, .damaged("its checksum does not match"), &writer)
    }
    for path in check.leftovers { try TemporaryFile.removeLeftover(path) }
    try recountFiles(keepingOrphans: isDamaged)
    try finishChange()
    // Other processes, and this one, have index slots of records that are lost.
    if !damage.isNone { control.renew() }
  }

  /// Copies damaged bytes and files to `Damaged`, and returns the damage that was copied.
  private func kept(_ check: LogCheck) throws -> LogDamage {
    var damage = LogDamage()
    damage.unsealed = check.unsealed.union(check.lost.keys)
    // Segments with bytes that could not be copied stay as they are.
    var unkept: Set<Int> = []
    for (number, range) in check.damagedRanges {
      guard let segment = try segments.segment(number) else { continue }
      let finding = options.keepDamage(
        try segment.bytes(range), of: segment, at: range.lowerBound, "no record can be read there")
      note(finding)
      if finding.cause == nil {
        damage.ranges.append((range, segment))
        damage.unsealed.insert(number)
      } else {
        unkept.insert(number)
      }
    }
    // A file that cannot be moved to `Damaged` stays, and is found again.
    for name in check.damagedFiles {
      _ = try folder.setAside(name)
      if let number = EntryName.segmentNumber(name) { segments.drop(number) }
    }
    damage.missing = try numbers.map { LogDamage.missing(from: try folder.segmentNumbers(), in: $0) } ?? []
    damage.unsealed.subtract(unkept.union(damage.missing))
    return damage
  }
}
