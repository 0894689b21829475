extension StoredResponse {
  /// Whether a cache may store the response to a `GET` (RFC 9111, 3). `mayBeShared` has what only a shared cache must
  /// not store.
  func mayBeStored(for request: RequestDirectives, isShared: Bool = false) -> Bool {
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
      || fields["Expires"] != nil || isShared && control.has("s-maxage")
      || Self.isGuessable(status)
  }

  /// Whether a shared cache may store the response too: it is neither `private` nor sets cookies, and the answer to a
  /// request with credentials permits it (RFC 9111, 3.5).
  func mayBeShared(after request: RequestFields) -> Bool {
    let control = control
    if control.has("private") || fields.setsCookies { return false }
    return request["Authorization"] == nil
      || ["public", "must-revalidate", "s-maxage"].contains(where: control.has)
  }

  /// Whether the response can be useful later, as an answer or for validation.
  func isWorthStoring(guessingUpTo limit: Double, staleIfError: Double, isShared: Bool = false) -> Bool {
    lifetime(guessingUpTo: limit, isShared: isShared) > 0 || !validators.isEmpty
      || (control.seconds("stale-if-error") ?? staleIfError) > 0
      || (control.seconds("stale-while-revalidate") ?? 0) > 0
  }
}
