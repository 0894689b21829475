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
  /// Encrypts a file of any size to another file, as a stream, with little memory.
  ///
  /// ```swift
  /// try ring.encryptFile(at: "/var/tmp/film.mp4", to: "/var/lib/app/film", for: "films/1")
  /// try ring.decryptFile(at: "/var/lib/app/film", to: "/var/tmp/film.mp4", for: "films/1")
  /// ```
  ///
  /// The complete file replaces the target once it is on disk; only its owner may read it. If an error is thrown, the
  /// target is unchanged. The stream is bound to the identity, if one is given, and not to its path.
  public func encryptFile(at source: String, to target: String, for identity: EntryIdentity = .none) throws {
    let encryptor = try StreamEncryptor(key: newest, for: identity)
    try Self.pass(source, to: target, piece: { encryptor.append($0) }, end: { encryptor.finish() })
  }

  /// Decrypts a file that `encryptFile` made, with any of the keys.
  ///
  /// The complete file replaces the target only after all of it was authenticated; only its owner may read it. If the
  /// stream was damaged or truncated, `EncryptorError.failedToDecrypt` is thrown and the target is unchanged.
  ///
  /// On Linux the new file has no name before that, so that nothing is left if the process is killed. While it replaces
  /// a file it has a temporary name for a moment, and always on file systems without unnamed files:
  /// `<target>.<UUID>.partial`, readable by its owner only. The next call for the same target deletes such files of
  /// killed processes.
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
