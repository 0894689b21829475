/// Whether a private cache may store a response to a `GET` (RFC 9111, 3).
extension StoredResponse {
  func mayBeStored(for request: RequestDirectives) -> Bool {
    let control = control
    guard 200..<600 ~= status, status != 206, status != 304 else { return false }
    if request.noStore { return false }
    // This `no-store` is for caches that do not understand the status. Other caches must ignore it (RFC 9111, 5.2.2.3).
    if control.has("must-understand") {
      guard Self.isUnderstood(status) else { return false }
    } else if control.has("no-store") {
      return false
    }
    return control.has("public") || control.has("private") || control.has("max-age")
      || fields["Expires"] != nil
      || Self.isGuessable(status)
  }

  /// Whether the response can be useful later, as an answer or for validation.
  func isWorthStoring(guessingUpTo limit: Double, staleIfError: Double) -> Bool {
    lifetime(guessingUpTo: limit) > 0 || !validators.isEmpty
      || (control.seconds("stale-if-error") ?? staleIfError) > 0
      || (control.seconds("stale-while-revalidate") ?? 0) > 0
  }
}
