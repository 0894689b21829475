import StrataCore

/// An earlier end of the log, according to a control file that this library wrote, trusted or not.
///
/// A page from an earlier boot may be older than the segments. If it says that the log was longer, records are lost.
struct LogWitness {
  let secret: Secret
  let tail: LogPosition
  let oldest: Int
  let logBytes: Int
  /// Whether the control file was written in the current boot, and so by the processes that use the log now.
  let isCurrent: Bool
  /// Whether the control file is a copy that was not opened yet.
  let isCopied: Bool
  /// Whether the control file was written in an earlier boot, so that no process has the log open.
  let isOfAnEarlierBoot: Bool
  let isHalfChanged: Bool

  /// Creates a witness; `nil` if the page's checksum does not match.
  init?(_ control: ControlFile) throws(SystemError) {
    guard control.isUndamaged, control.load(.magic) == ControlFile.magic else { return nil }
    secret = control.secret
    tail = control.tail
    oldest = control.oldest
    logBytes = control.logBytes
    isCurrent = try control.isSound()
    isCopied = control.isCopied
    isOfAnEarlierBoot = try control.isOfAnEarlierBoot()
    isHalfChanged = control.isHalfChanged
  }

  /// Returns the oldest segment of a log that ends at `tail` and whose first segment is `first`: an earlier one, which
  /// is lost, if the page is at least as new as the segments.
  func oldest(_ first: Int, _ tail: LogPosition, _ secret: Secret) -> Int {
    guard isCurrent || isCopied, !isHalfChanged, self.secret == secret, self.tail >= tail else {
      return first
    }
    return min(first, oldest)
  }
}

extension LogSession {
  /// Reports parts of the log that existed according to a witness, and are missing from the segments. Returns how many
  /// bytes are missing from the existing segments.
  func noteLoss(_ witness: LogWitness?) throws -> Int {
    guard let witness else { return 0 }
    let isEmpty = control.oldest == control.tail.segment && control.tail.offset == 0
    guard witness.secret == secret || isEmpty && witness.logBytes + witness.tail.offset > 0 else { return 0 }
    if witness.secret != secret || witness.tail > control.tail {
      noteLost(
        lostEnd(
          from: isEmpty ? LogPosition(segment: witness.oldest, offset: 0) : control.tail, to: witness.tail))
      return 0
    }
    guard witness.tail == control.tail, witness.isCurrent || witness.oldest == control.oldest,
      !witness.isHalfChanged
    else { return 0 }
    var bytes = 0
    for number in try folder.segmentNumbers() where number >= control.oldest && number <= control.tail.segment
    {
      bytes += number == control.tail.segment ? control.tail.offset : try folder.bytes(of: [number])
    }
    return witness.logBytes - bytes
  }

  private func lostEnd(from: LogPosition, to: LogPosition) -> StorageError {
    .malformedFileAttributes.with(
      "the end of the log is lost, from \(from.offset) in segment \(from.segment) to \(to.offset) in segment "
        + "\(to.segment): \(Self.consequence)", place: folder.path)
  }

  /// Returns the error for missing segments.
  func lost(_ numbers: [Int]) -> StorageError {
    let names =
      numbers.count == 1 ? "segment \(numbers[0])" : "segments \(numbers[0]) to \(numbers[numbers.count - 1])"
    return .malformedFileAttributes.with(
      "\(names) of the log cannot be found: \(Self.consequence)", place: folder.path)
  }

  func cutShort(_ segment: Segment) -> StorageError {
    .malformedFileAttributes.with(
      "a segment of the log is cut short: it does not end in a table of contents; \(Self.consequence)",
      place: segment.path)
  }

  func shorter(by bytes: Int) -> StorageError {
    .malformedFileAttributes.with(
      "the log is \(bytes) bytes shorter than it was when it was written: \(Self.consequence)",
      place: folder.path)
  }

  /// Returns the error for value files that were moved to `Damaged` after the control file had been lost.
  func lostRecords(of files: Int) -> StorageError {
    .malformedFileAttributes.with(
      "the control file was lost, and no record names \(files) of the files in Values, which were moved to Damaged: the "
        + "end of the log may be lost too; restore the folder from a copy", place: folder.path)
  }

  private static let consequence =
    "the entries written there are lost, and older or removed values of their keys are current again; restore the "
    + "folder from a copy, or remove the entries that must not be old"
}
