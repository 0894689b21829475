import Foundation
import StrataCore
import Testing

@testable import StrataS3

/// The published test vectors of the hash functions.
@Suite struct HashTests {
  /// Test vectors of RFC 1321, A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"
    ),
    (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
  ])
  func md5(_ text: String, _ hash: String) {
    #expect(Encoding.hex(MD5.hash(Array(text.utf8))) == hash)
  }

  /// Test vectors of RFC 4231: a short key, a text key, and a key longer than a block.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func hmac(_ key: [UInt8], _ text: String, _ code: String) {
    #expect(Encoding.hex(HMAC(key: key).code(Array(text.utf8))) == code)
  }

  /// The hash does not depend on how the message is divided into pieces.
  @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000])
  func sha256OfPieces(_ count: Int) {
    let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for size in [1, 7, 63, 64, 65, 200] {
      var hash = SHA256()
      message.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: count, by: size) {
          hash.update(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + size, count)]))
        }
      }
      #expect(hash.finish() == SHA256.hash(message))
    }
  }

  @Test func sha256OfThePublishedMessages() {
    // Test vectors of FIPS 180-4: messages of one block and of two.
    #expect(
      Encoding.hex(SHA256.hash(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Encoding.hex(SHA256.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test(arguments: [
    (0.0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (1_440_938_160, "20150830T123600Z"),
    (1_709_251_199, "20240229T235959Z"), (4_107_542_400, "21000301T000000Z"),
    (253_402_300_799, "99991231T235959Z"),
  ])
  func writesDates(_ seconds: Double, _ text: String) {
    let date = SigningDate(Date(timeIntervalSince1970: seconds + 0.9))
    #expect(date.second == text && date.day == String(text.prefix(8)))
  }
}
