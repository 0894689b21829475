#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Returns a number in a format of C's `printf`. Without Foundation, whose tables would be part of each static program.
func formatted(_ value: Double, _ format: String) -> String {
  // The largest number has 309 digits before the point.
  let text = [UInt8](unsafeUninitializedCapacity: 400) { text, count in
    count = text.withMemoryRebound(to: CChar.self) { text in
      Int(withVaList([value]) { vsnprintf(text.baseAddress, text.count, format, $0) })
    }
  }
  return String(decoding: text, as: UTF8.self)
}
