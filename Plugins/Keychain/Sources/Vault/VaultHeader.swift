import StrataSodium

/// The first bytes of a vault: the parameters for deriving its key, and a random identifier of this version of the
/// file.
struct VaultHeader: Equatable {
  static let size = 96
  /// The number of bytes before the tag.
  static let textSize = 64
  private static let mark = Array("Strata vault".utf8)
  private static let version: UInt8 = 1
  /// The highest accepted cost of a passphrase. A higher cost was written by an attacker to stall the program.
  private static let largestCost = PassphraseCost(operations: 64, memory: 4 << 30)

  let source: VaultKey.Source
  let cost: PassphraseCost
  let salt: PassphraseSalt
  /// The random identifier of this version of the file.
  let writing: [UInt8]

  /// Creates the header of a vault that gets a new key.
  init(of key: VaultKey) throws {
    guard Self.allows(key.cost) else {
      throw StorageError.invalidConfiguration.with(
        "a vault's passphrase takes \(Self.largestCost.operations) operations and \(Self.largestCost.memory) bytes of memory "
          + "at most")
    }
    source = key.source
    cost = key.cost
    salt = try PassphraseSalt()
    writing = Self.newWriting()
  }

  /// Returns the header for the next version of the file.
  func rewritten() -> VaultHeader { VaultHeader(self, writing: Self.newWriting()) }

  private init(_ header: VaultHeader, writing: [UInt8]) {
    source = header.source
    cost = header.cost
    salt = header.salt
    self.writing = writing
  }

  private static func allows(_ cost: PassphraseCost) -> Bool {
    cost.operations <= largestCost.operations && cost.memory <= largestCost.memory
  }

  private static func newWriting() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) }
  }

  /// Reads a header, without authenticating it.
  init(_ bytes: ArraySlice<UInt8>) throws(StorageError) {
    let bytes = Array(bytes)
    guard bytes.count == Self.size else { throw Self.damaged("the file ends within its header") }
    guard Array(bytes[0..<12]) == Self.mark else {
      throw Self.damaged("the file does not begin like a vault; choose another path if it is another file")
    }
    guard bytes[12] == Self.version else {
      throw .newerFormat.with(
        "the vault was written by a newer version of Strata (format \(bytes[12])): update this program")
    }
    guard let source = VaultKey.Source(rawValue: bytes[13]), bytes[14] == 0, bytes[15] == 0 else {
      throw Self.damaged("the header is invalid")
    }
    let numbers = bytes.withUnsafeBytes { bytes in
      [16, 24].map { Int(clamping: bytes.number(at: $0) as UInt64) }
    }
    cost = PassphraseCost(operations: numbers[0], memory: numbers[1])
    guard Self.allows(cost) else {
      throw Self.damaged("the header demands more work for the passphrase than any vault may")
    }
    self.source = source
    do { salt = try PassphraseSalt(bytes[32..<48]) } catch { throw Self.damaged("the salt is invalid") }
    writing = Array(bytes[48..<64])
  }

  /// Returns the header as bytes, with its tag.
  func bytes(_ keys: VaultKeys) -> [UInt8] {
    var bytes = Self.mark + [Self.version, source.rawValue, 0, 0]
    for number in [cost.operations, cost.memory] { bytes.append(littleEndian: UInt64(number)) }
    bytes += Array(salt.data) + writing
    return bytes + keys.header.hash(bytes)
  }

  /// Whether these keys authenticate the bytes of a header.
  static func isAuthentic(_ bytes: ArraySlice<UInt8>, by keys: VaultKeys) -> Bool {
    bytes.prefix(textSize).withUnsafeBytes { keys.header.isHash(bytes.dropFirst(textSize), of: $0) }
  }

  static func damaged(_ reason: String) -> StorageError {
    .malformedFileAttributes.with(
      "the vault is damaged, and was left unchanged: \(reason). Restore a copy of it, or delete it")
  }
}
