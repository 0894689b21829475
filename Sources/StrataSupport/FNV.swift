/// Returns the FNV-1a hash of bytes: 64 bits, equal in all processes.
///
/// An attacker who chooses the bytes can cause collisions. Use it only where a collision costs little.
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
