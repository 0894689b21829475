/// Whether a response may be stored (RFC 9111, 3), for a private cache and a request with `GET`.
extension StoredResponse {
  func mayBeStored(for request: RequestDirectives) -> Bool {
    let control = control
    guard 200..<600 ~= status, status != 206, status != 304 else { return false }
    if request.noStore { return false }
    // Caches that understand the status are to ignore the `no-store`, which is for the others (RFC 9111, 5.2.2.3).
    if control.has("must-understand") {
      guard Self.isUnderstood(status) else { return false }
    } else if control.has("no-store") {
      return false
    }
    return control.has("public") || control.has("private") || control.has("max-age")
      || fields["Expires"] != nil
      || Self.isGuessable(status)
  }

  /// Whether it can ever be of use: as an answer, or as something to ask the origin about.
  func isWorthStoring(guessingUpTo limit: Double, staleIfError: Double) -> Bool {
    lifetime(guessingUpTo: limit) > 0 || !validators.isEmpty
      || (control.seconds("stale-if-error") ?? staleIfError) > 0
      || (control.seconds("stale-while-revalidate") ?? 0) > 0
  }
}
