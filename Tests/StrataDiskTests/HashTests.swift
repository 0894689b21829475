import StrataCore
import Testing

@testable import StrataDisk

struct HashTests {
  /// Vectors from FIPS 180-4 and its examples. OpenSSL has computed the vectors at the limits of blocks.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func sha256OfText(_ text: String, _ expected: String) {
    #expect(EntryName.of(Array(text.utf8)) == expected + ".strata")
  }

  @Test(arguments: [
    (55, "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"),
    (56, "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"),
    (63, "29af2686fd53374a36b0846694cc342177e428d1647515f078784d69cdb9e488"),
    (64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"),
    (65, "4bfd2c8b6f1eec7a2afeb48b934ee4b2694182027e6d0fc075074f2fabb31781"),
    (119, "da18797ed7c3a777f0847f429724a2d8cd5138e6ed2895c3fa1a6d39d18f7ec6"),
    (120, "f52b23db1fbb6ded89ef42a23ce0c8922c45f25c50b568a93bf1c075420bbb7c"),
  ])
  func sha256AroundBlocks(_ count: Int, _ expected: String) {
    #expect(EntryName.of((0..<count).map { UInt8($0 % 251) }) == expected + ".strata")
  }

  /// The buffer, seeds and lengths of xxHash's own sanity check. The hashes are computed by libxxhash 0.8.1.
  @Test(
    arguments: [
      (0, 0xef46_db37_51d8_e999, 0xac75_fda2_929b_17ef), (1, 0xe934_a84a_db05_2768, 0x5014_6076_43a9_b4c3),
      (3, 0xff7e_1959_cb50_794a, 0xaa85_84e8_3660_f7d1), (4, 0x9136_a0dc_a574_57ee, 0xcaab_286b_d8e9_fdb5),
      (7, 0x6c83_909a_9f01_ed25, 0xf98d_03b1_ad6f_9293), (8, 0xcdbc_f538_e71d_1348, 0xfe0c_047a_5353_cdac),
      (12, 0x0723_bf50_086e_ad9a, 0x8252_819f_4e50_6951), (14, 0x8282_dcc4_994e_35c8, 0xc3bd_6bf6_3deb_6df0),
      (31, 0x299b_39a2_90e6_d783, 0xda67_3d5f_eb5c_1d79), (32, 0x18b2_1649_2bb4_4b70, 0xb3f3_3bdf_93ad_e409),
      (33, 0x55c8_dc3e_578f_5b59, 0xe92c_292f_64bc_3071), (63, 0xa9ef_be0f_a0f3_f4e7, 0x6c91_1fad_b05b_6fc2),
      (64, 0xef55_8f8a_cac2_b5cd, 0xb5ee_ba99_264c_c44f), (101, 0xa51e_a210_1b2d_114c, 0x6b38_a5bb_ba1f_049c),
      (222, 0xb641_ae8c_b691_c174, 0x20cb_8ab7_ae10_c14a),
      (4160, 0xeee6_a4e2_ac95_2a5e, 0xa4cb_59e1_9d6a_35f9),
    ] as [(Int, UInt64, UInt64)])
  func xxh64(_ count: Int, _ plain: UInt64, _ seeded: UInt64) {
    let prime: UInt64 = 2_654_435_761
    var state = prime
    var buffer: [UInt8] = []
    for _ in 0..<count {
      buffer.append(UInt8(truncatingIfNeeded: state >> 56))
      state &*= 11_400_714_785_074_694_797
    }
    #expect(buffer.withUnsafeBytes { XXH64.hash($0) } == plain)
    #expect(buffer.withUnsafeBytes { XXH64.hash($0, seed: prime) } == seeded)
    // The hash is the same at an odd address.
    #expect(([0] + buffer).withUnsafeBytes { XXH64.hash(.init(rebasing: $0.dropFirst())) } == plain)
  }
}
