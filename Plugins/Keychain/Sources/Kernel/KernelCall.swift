#if os(Linux)
  internal import CKeyutils
  import Glibc
  import StrataDelegate

  /// Calls the kernel and translates its errors.
  enum KernelCall {
    /// All permissions for the possessor and the user.
    static let userPermissions: key_perm_t = 0x3f3f_0000

    /// The type and the maximum size of keys: `big_key` if the kernel has it, which encrypts large values that may be
    /// swapped out; otherwise `user`.
    private static let kind: (type: String, largest: Int) = {
      let probe = add_key("big_key", "strata:probe", "x", 1, KEY_SPEC_THREAD_KEYRING)
      if probe == -1 { return ("user", 32_767) }
      keyctl_unlink(probe, KEY_SPEC_THREAD_KEYRING)
      return ("big_key", (1 << 20) - 1)
    }()

    static var type: String { kind.type }
    static var largest: Int { kind.largest }

    /// Returns the result of a call. Throws if it is -1.
    static func result(_ verb: String, _ call: () -> Int) throws(StorageError) -> Int {
      let result = call()
      if result == -1 { throw failure(verb, errno) }
      return result
    }

    /// Returns the result of a call, or `nil` if the key is absent, expired, or was removed meanwhile.
    static func unlessAbsent(_ verb: String, _ call: () -> Int) throws(StorageError) -> Int? {
      let result = call()
      if result != -1 { return result }
      let code = errno
      if [ENOKEY, EKEYEXPIRED, EKEYREVOKED, ENOENT].contains(code) { return nil }
      throw failure(verb, code)
    }

    /// Calls `body` with the bytes of a key. Returns `nil` if the key no longer exists.
    static func withPayload<R>(
      of key: key_serial_t, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
      // Most secrets fit in the first buffer; for a larger one the call returns its size.
      var size = 4096
      while true {
        let bytes = WipedBytes(size)
        let buffer = bytes.buffer
        let count = try unlessAbsent("read") {
          Int(keyctl_read(key, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), size))
        }
        guard let count else { return nil }
        if count <= size { return try body(UnsafeRawBufferPointer(buffer.part(..<count))) }
        size = count
      }
    }

    /// Returns the keys of a keyring.
    static func serials(in keyring: key_serial_t) throws -> [key_serial_t] {
      var capacity = 256
      while true {
        var serials = [key_serial_t](repeating: 0, count: capacity)
        let count = try result("list") {
          serials.withUnsafeMutableBytes { buffer in
            Int(
              keyctl_read(keyring, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count))
          }
        }
        let found = count / MemoryLayout<key_serial_t>.size
        if found <= capacity { return Array(serials.prefix(found)) }
        capacity = found + 256
      }
    }

    /// The result of describing a key.
    enum Description {
      /// A key of the type that secrets have, with its description.
      case ours(String)
      /// A key of another type, or a key that this process may not inspect.
      case foreign
      /// A key that has expired, or was removed or replaced since the keyring was listed.
      case gone
    }

    /// Returns the description of a key.
    static func description(of key: key_serial_t) throws -> Description {
      var text: UnsafeMutablePointer<CChar>?
      let length = keyctl_describe_alloc(key, &text)
      guard length != -1, let text else {
        let code = errno
        if [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(code) { return .gone }
        if code == EACCES { return .foreign }
        throw failure("list", code)
      }
      defer { free(text) }
      // The key's type, user, group and permissions precede the description.
      let parts = String(cString: text).split(separator: ";", maxSplits: 4, omittingEmptySubsequences: false)
      guard parts.count == 5, parts[0] == type else { return .foreign }
      return .ours(String(parts[4]))
    }

    private static func failure(_ verb: String, _ code: CInt) -> StorageError {
      let (error, advice): (StorageError, String) =
        switch code {
        case EDQUOT:
          (
            .quotaExceeded,
            "the user's quota is full; remove secrets, or raise it (`sysctl kernel.keys.maxbytes kernel.keys.maxkeys`)"
          )
        case EACCES:
          (
            .denied,
            "this process lacks the permission; make sure that its session has the user's keyring (`keyctl link @u @s`, or "
              + "`KeyringMode=shared` of its service)"
          )
        case EPERM, ENOSYS:
          (
            .unreachable,
            "the kernel provides no keyrings to this process, as in most containers; choose another place"
          )
        default: (.backendFailed, "the kernel refused the operation")
        }
      let cause = KeychainFailure(errno: code)
      return error.with("cannot \(verb) the key: \(advice) (\(cause))", cause: cause)
    }
  }
#endif
