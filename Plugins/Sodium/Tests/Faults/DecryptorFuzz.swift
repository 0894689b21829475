import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if !STRATA_FUZZER
  @testable import StrataSodium
#endif

/// Checks the decryptors with arbitrary bytes: under the fuzzer (`make fuzz`), and with the seeds in every test run.
///
/// The first byte selects how the bytes are read: as a value, a sealed box, a stream, or a plan of a stream whose
/// chunks are all authentic. It also selects whether a valid head is written first, since no mutation finds the id of a
/// key.
struct DecryptorFuzz {
  /// A violated guarantee.
  struct Failure: Error {
    let reason: String
  }

  /// The prefix of every text that is encrypted with these keys: any other text was never encrypted.
  private static let text = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
  private static let identity: EntryIdentity = "fuzz"

  private let ring: KeyRing
  private let pair: KeyPair

  init() throws {
    func key(_ byte: UInt8) throws -> SecretKey {
      try [UInt8](repeating: byte, count: SecretKey.size).withUnsafeBytes { try SecretKey(bytes: $0) }
    }
    ring = KeyRing(newest: try key(1), older: [try key(2)])
    pair = try KeyPair(key(3))
  }

  /// Throws a `Failure` if a guarantee is violated; a trap is one too.
  func run(_ input: [UInt8]) throws {
    guard let options = input.first else { return }
    var bytes = Data(input.dropFirst())
    switch options & 3 {
    case 0:
      if options & 4 != 0 { putRight(&bytes, .secretKey, ring.newest.id) }
      try open(bytes, with: ring, overhead: 50)
    case 1:
      if options & 4 != 0 { putRight(&bytes, .sealedBox, pair.publicKey.id) }
      try open(bytes, with: pair, overhead: 58)
    case 2:
      if options & 4 != 0 { putRight(&bytes, .stream, ring.newest.id) }
      try check(stream: bytes, inPiecesOf: Int(options >> 3) * 331 + 1) { text in
        if text != Self.text.prefix(text.count) {
          throw Failure(reason: "a stream that nobody made was read")
        }
      }
    default: try follow(plan: bytes, inPiecesOf: Int(options >> 2) * 1021 + 13)
    }
  }

  private func putRight(_ bytes: inout Data, _ method: Envelope.Method, _ id: KeyID) {
    guard bytes.count >= Envelope.headSize else { return }
    bytes.withUnsafeMutableBytes { Envelope.writeHead(method, id, into: $0) }
  }

  /// Checks that a value that was never encrypted is refused, and that decryption requests as much memory as the
  /// value's size requires.
  private func open(_ sealed: Data, with cipher: some Cipher, overhead: Int) throws {
    var asked: [Int] = []
    var plain = Data()
    do {
      try sealed.withUnsafeBytes { bytes in
        var memory: UnsafeMutableRawBufferPointer?
        defer {
          if let memory {
            plain = Data(memory)
            memory.deallocate()
          }
        }
        try cipher.decrypt(bytes, for: Self.identity) { count in
          asked.append(count)
          let made = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
          made.initializeMemory(as: UInt8.self, repeating: 0)
          memory = made
          return made
        }
      }
      if plain != Self.text.prefix(plain.count) { throw Failure(reason: "a value that nobody made was read") }
      if asked != [sealed.count - overhead] {
        throw Failure(reason: "memory for \(asked) bytes was asked for")
      }
    } catch EncryptorError.failedToDecrypt {
      if asked.count > 1 { throw Failure(reason: "memory was asked for \(asked.count) times") }
      // Memory of a refused value must not contain any of its text.
      if plain.contains(where: { $0 != 0 }) { throw Failure(reason: "what was refused left bytes behind") }
    }
  }

  private func check(stream: Data, inPiecesOf size: Int, _ check: (Data) throws -> Void) throws {
    do {
      let decryptor = try StreamDecryptor(ring: ring, for: Self.identity)
      var text = Data()
      for start in stride(from: 0, to: stream.count, by: size) {
        text += try decryptor.append(stream[start..<min(start + size, stream.count)])
      }
      text += try decryptor.finish()
      try check(text)
    } catch EncryptorError.failedToDecrypt {}
  }

  /// Makes a stream from the plan, which has three bytes per chunk: its length and its tag. The decryptor must accept
  /// the stream only if it is well-formed.
  private func follow(plan: Data, inPiecesOf size: Int) throws {
    var chunks: [(length: Int, tag: UInt8)] = []
    for index in stride(from: 0, to: min(plan.count, 15) / 3 * 3, by: 3) {
      let length = Int(plan[index]) | Int(plan[index + 1]) << 8
      // Most chunks of a stream are full.
      chunks.append((plan[index + 2] & 0x80 != 0 ? StreamFormat.chunkSize : length, plan[index + 2] & 3))
    }
    let stream = try Self.stream(of: chunks, with: ring.newest)
    let isSound =
      chunks.last?.tag == StreamFormat.final
      && chunks.dropLast().allSatisfy { $0.tag != StreamFormat.final && $0.length == StreamFormat.chunkSize }
    var wasRead = false
    try check(stream: stream, inPiecesOf: size) { text in
      wasRead = true
      let length = chunks.reduce(0) { $0 + $1.length }
      if text != Self.repeated(length) { throw Failure(reason: "a stream says what was not written") }
    }
    if wasRead != isSound { throw Failure(reason: "of \(chunks) it is \(wasRead) that it was read") }
  }

  private static func repeated(_ length: Int) -> Data {
    var text = Data()
    while text.count < length { text += Self.text.prefix(length - text.count) }
    return text
  }

  private static func stream(of chunks: [(length: Int, tag: UInt8)], with key: SecretKey) throws -> Data {
    let state = try StreamState()
    var stream = Data(count: StreamFormat.prologueSize)
    stream.withUnsafeMutableBytes { bytes in
      Envelope.writeHead(.stream, key.id, into: bytes)
      _ = key.bytes.withPointer {
        crypto_secretstream_xchacha20poly1305_init_push(
          state.pointer, bytes.sodiumStart + Envelope.headSize, $0)
      }
    }
    var authenticated = Array(stream) + identity.bytes
    let text = repeated(chunks.reduce(0) { $0 + $1.length })
    var place = 0
    for chunk in chunks {
      let plain = Array(text[place..<place + chunk.length])
      var sealed = [UInt8](repeating: 0, count: chunk.length + StreamFormat.chunkOverhead)
      crypto_secretstream_xchacha20poly1305_push(
        state.pointer, &sealed, nil, plain, UInt64(plain.count), authenticated, UInt64(authenticated.count),
        chunk.tag)
      authenticated = []
      stream += sealed
      place += chunk.length
    }
    return stream
  }

  /// The seeds: every kind of encrypted value, intact and damaged, and plans of streams.
  var seeds: [[UInt8]] {
    get throws {
      var seeds: [[UInt8]] = [[], [0], [1], [2], [3], [7] + [UInt8](repeating: 0, count: 100)]
      for size in [0, 1, 100, 3000] {
        let text = Self.text.prefix(size)
        let value = Array(try ring.encrypt(text, for: Self.identity))
        let old = Array(try KeyRing(ring.key(Self.olderID(of: ring))).encrypt(text, for: Self.identity))
        let box = Array(try pair.encrypt(text, for: Self.identity))
        let stream = Array(try Self.stream(of: [(size, StreamFormat.final)], with: ring.newest))
        for (method, bytes) in [(0, value), (0, old), (1, box), (2, stream)] as [(UInt8, [UInt8])] {
          seeds += [[method] + bytes, [method | 4] + bytes, [method | 0xF8] + bytes.dropLast()]
        }
      }
      let full: [UInt8] = [0, 0, 0x80]
      seeds += [
        [3, 5, 0, 3], [7] + full + [0, 0, 3], [11] + full + full + [9, 1, 3], [255] + full + [0, 0, 0x83],
      ]
      seeds += [[3, 5, 0, 0, 5, 0, 3], [3] + full, [3, 0, 0, 3, 0, 0, 3], [3] + full + [1, 0, 2] + full]
      return seeds
    }
  }

  private static func olderID(of ring: KeyRing) -> KeyID { ring.ids.last ?? ring.newest.id }
}

#if STRATA_FUZZER
  enum Fuzzed {
    private static let fuzz = Result { try DecryptorFuzz() }

    static func run(_ input: [UInt8]) throws { try fuzz.get().run(input) }
    static var seeds: [[UInt8]] { get throws { try fuzz.get().seeds } }
  }
#endif
