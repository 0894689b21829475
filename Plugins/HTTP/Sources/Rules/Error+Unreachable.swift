import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Error {
  /// Whether the origin could not be reached, or closed the connection without a response.
  var isUnreachable: Bool {
    switch self {
    case let error as URLError: unreachable.contains(error.code)
    case let error as StorageError: error.cause?.isUnreachable ?? false
    default: false
    }
  }
}

private let unreachable: Set<URLError.Code> = {
  var codes: Set<URLError.Code> = [
    .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
    .timedOut, .internationalRoamingOff, .callIsActive, .dataNotAllowed,
  ]
  #if canImport(FoundationNetworking)
    // URLSession on Linux reports this code for a connection that was closed before the first byte of a response.
    codes.insert(.badServerResponse)
  #endif
  return codes
}()
