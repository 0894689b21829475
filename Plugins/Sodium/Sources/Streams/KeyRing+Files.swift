import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension KeyRing {
  /// Encrypts a file of any size into another, as a stream, with little memory.
  ///
  /// The new file takes the place of what is there, whole and only when it is on the disk; only its user may read it.
  /// If anything fails, what was there stays. It is bound to the identity, if one is given, and not to its path.
  public func encryptFile(at source: String, to target: String, for identity: EntryIdentity = .none) throws {
    let encryptor = try StreamEncryptor(key: newest, for: identity)
    try Self.pass(source, to: target, piece: { encryptor.append($0) }, end: { encryptor.finish() })
  }

  /// Decrypts what `encryptFile` made, with any of the keys.
  ///
  /// The new file takes the place of what is there, whole and only when all of it was found to be authentic; only its
  /// user may read it. If the stream was damaged or cut short, `EncryptorError.failedToDecrypt` is thrown and what was
  /// there stays.
  ///
  /// On Linux the new file has no name before that, so that nothing stays of it if the process is killed. Where a file
  /// is replaced it has another name for a moment, and on file systems without such files all the time:
  /// `<target>.<UUID>.partial`, which only its user may read. The next call for the same target deletes what a killed
  /// process left there.
  public func decryptFile(at source: String, to target: String, for identity: EntryIdentity = .none) throws {
    let decryptor = try StreamDecryptor(ring: self, for: identity)
    try Self.pass(source, to: target, piece: { try decryptor.append($0) }, end: { try decryptor.finish() })
  }

  private static func pass(
    _ source: String, to target: String, piece: (Data) throws -> Data, end: () throws -> Data
  ) throws {
    let input = try SystemFile(source, O_RDONLY)
    var output = try OutputFile(replacing: target)
    try withUnsafeTemporaryAllocation(byteCount: StreamFormat.chunkSize, alignment: 1) { buffer in
      var count = buffer.count
      while count == buffer.count {
        count = try input.fill(buffer)
        try output.append(piece(Data(UnsafeRawBufferPointer(buffer).prefix(count))))
      }
    }
    try output.append(end())
    try output.publish()
  }
}
