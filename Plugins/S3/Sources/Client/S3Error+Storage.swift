import StrataCore

extension S3Error {
  /// Returns the `StorageError` that a store throws for this refusal, with advice.
  var storageError: StorageError {
    let (kind, advice): (StorageError, String) =
      switch (status, code) {
      case (200..<300, ""), (404, ""):
        (
          .backendFailed,
          "the response is not one of S3's: check `endpoint`, and proxies on the way; it is unknown whether the request was executed"
        )
      case (_, "NoSuchBucket"): (.invalidConfiguration, "the bucket does not exist: create it first")
      case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"), (_, "PermanentRedirect"):
        (.invalidConfiguration, "the bucket is in another region: set `region` in the configuration")
      case (_, "RequestTimeTooSkewed"):
        (.invalidConfiguration, "the clock of this machine is wrong: synchronize it")
      case (_, "ExpiredToken"), (_, "TokenRefreshRequired"):
        (.invalidConfiguration, "the temporary credentials have expired: provide new ones")
      case (_, "SignatureDoesNotMatch"), (_, "InvalidAccessKeyId"), (_, "InvalidToken"), (401, _):
        (.invalidConfiguration, "the credentials are wrong: check the access key and the secret key")
      case (403, _):
        (
          .invalidConfiguration,
          "the credentials are wrong or lack a permission: check the policies of the user and of the bucket"
        )
      case (_, "BadDigest"), (_, "XAmzContentChecksumMismatch"), (_, "XAmzContentSHA256Mismatch"):
        (.backendFailed, "the bytes were changed on their way to the server, which stored nothing: try again")
      case (413, _), (_, "EntityTooLarge"):
        (.tooLarge, "the value is larger than the server accepts: divide it")
      case (501, _): (.invalidConfiguration, "the server does not support this request: use another server")
      case (507, _), (_, "QuotaExceeded"): (.backendFailed, "the server has no space left: free some")
      case (429, _), (503, _): (.backendFailed, "the server is busy: try again later")
      default: (.backendFailed, "the server reports an internal error: try again later")
      }
    return kind.with(advice, cause: self)
  }
}

extension S3ConnectionError {
  /// Returns the `StorageError` that a store throws if a request gets no response.
  func storageError(of request: S3Request) -> StorageError {
    let fate =
      if !isSent { "nothing was sent" } else if ["GET", "HEAD"].contains(request.method) {
        "nothing was changed"
      } else { "the request may or may not have been executed: read the entry before you repeat it" }
    return .backendFailed.with("no response arrived from the object store (\(self)); \(fate)", cause: self)
  }
}

extension Error {
  /// Returns this error as a `StorageError` that says which operation failed, on which key and where.
  func explained(_ aim: String, _ key: (any Sendable)? = nil, at place: String) -> any Error {
    let error: StorageError
    switch self {
    case let own as StorageError: error = own
    case let refusal as S3Error: error = refusal.storageError
    default: return self
    }
    if [.notFound, .deadlock].contains(error) { return error.with(key: key) }
    return error.with("cannot \(aim): \(error.message)", key: key, place: error.place ?? place)
  }
}
