#if Server
  import StrataCore

  /// The kind of an error for logs, metrics and spans: the code of a `StorageError`, otherwise the name of the type. It
  /// contains no key and no value.
  func errorType(_ error: any Error) -> String {
    (error as? StorageError).map { "\($0.code)" } ?? "\(type(of: error))"
  }

  extension StorageError {
    /// The server of the failed operation. A path is none: the name of a file may be a key.
    var serverAddress: String? { place.flatMap { $0.contains("/") ? nil : $0 } }
  }
#endif
