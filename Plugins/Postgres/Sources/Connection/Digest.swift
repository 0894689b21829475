import StrataCore

/// Returns the SHA-256 of a text in hexadecimal digits.
func digest(_ text: String) -> String {
  let digits = Array("0123456789abcdef")
  return String(SHA256.hash(Array(text.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
