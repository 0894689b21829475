#if !canImport(Darwin)
  import CCurl
  import StrataCore

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A transfer that libcurl executes: its handle, what has been sent, and what has been received.
  ///
  /// libcurl's functions get this object as their context, without owning it. `Transfers` owns it for as long as the
  /// handle is in use, and calls and is called on one thread.
  final class Transfer {
    let exchange: Exchange
    let handle: UnsafeMutableRawPointer
    private var request: WebRequest { exchange.request }
    private var requestFields: UnsafeMutablePointer<curl_slist>?
    /// libcurl's words about a failure.
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var sentBytes = 0
    /// How many times libcurl was about to send the request.
    private var attempts = 0
    private var fields: [String: String] = [:]
    private var body = ReceivedBytes()
    private var limit = Int.max
    private var isExceeded = false

    /// Prepares a handle. Returns `nil` if libcurl refuses something.
    init?(_ exchange: Exchange, timeout: Duration, certificates: String?) {
      words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      guard let handle = curl_easy_init() else {
        words.deallocate()
        return nil
      }
      self.exchange = exchange
      self.handle = handle
      for field in exchange.request.fields {
        // A semicolon stands for an empty value, since a colon alone would remove the field.
        let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        requestFields = curl_slist_append(requestFields, line)
      }
      // libcurl would wait for the server's consent before it sends a large body.
      requestFields = curl_slist_append(requestFields, "Expect:")
      let seconds = max(Int((timeout / .seconds(1)).rounded(.up)), 1)
      let isAccepted = setRequest() && setReceivers() && setLimits(seconds) && setTrust(certificates)
      if !isAccepted { return nil }
    }

    deinit {
      curl_easy_cleanup(handle)
      curl_slist_free_all(requestFields)
      words.deallocate()
    }

    /// Returns the response, or why there is none.
    func result(_ code: CURLcode) -> Result<WebResponse, any Error> {
      let status = Int(strata_curl_status(handle))
      if code == CURLE_OK || isExceeded {
        return .success(WebResponse(status: status, fields: fields, data: isExceeded ? nil : body.take()))
      }
      let said = String(cString: words)
      return .failure(
        S3ConnectionError(
          reason: .init(code, isSent: attempts > 0), isSent: attempts > 0,
          description: said.isEmpty ? String(cString: curl_easy_strerror(code)) : said))
    }

    // MARK: Options

    private func setRequest() -> Bool {
      // The path is the signed one, to the byte.
      var isAccepted =
        set(CURLOPT_URL, request.url) && set(CURLOPT_PATH_AS_IS, 1)
        && set(CURLOPT_CUSTOMREQUEST, request.method)
        && strata_curl_set_pointer(handle, CURLOPT_HTTPHEADER, requestFields) == CURLE_OK
      if request.redirections > 0 {
        isAccepted =
          isAccepted && set(CURLOPT_FOLLOWLOCATION, 1) && set(CURLOPT_MAXREDIRS, request.redirections)
      }
      if let duration = request.duration {
        isAccepted = isAccepted && set(CURLOPT_TIMEOUT_MS, max(Int(duration / .milliseconds(1)), 1))
      }
      switch request.method {
      case "HEAD": return isAccepted && set(CURLOPT_NOBODY, 1)
      // Also without a body, so that its length, 0, is sent: some servers demand it.
      case "PUT", "POST":
        let count = request.body?.count ?? 0
        return isAccepted && set(CURLOPT_UPLOAD, 1)
          && strata_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(count)) == CURLE_OK
      default: return isAccepted
      }
    }

    private func setReceivers() -> Bool {
      let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
      for option in [
        CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA,
      ] where strata_curl_set_pointer(handle, option, context) != CURLE_OK { return false }
      let codes = [
        strata_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words),
        strata_curl_set_copier(handle, CURLOPT_HEADERFUNCTION) { Transfer.of($3).receiveField($0, $1 * $2) },
        strata_curl_set_copier(handle, CURLOPT_WRITEFUNCTION) { Transfer.of($3).receive($0, $1 * $2) },
        strata_curl_set_copier(handle, CURLOPT_READFUNCTION) { Transfer.of($3).provide($0, $1 * $2) },
        strata_curl_set_seek(handle) { context, offset, _ in Transfer.of(context).rewind(to: Int(offset)) },
        strata_curl_set_announcement(handle) { context, _, _, _, _ in Transfer.of(context).announce() },
      ]
      return codes.allSatisfy { $0 == CURLE_OK }
    }

    private func setLimits(_ seconds: Int) -> Bool {
      set(CURLOPT_NOSIGNAL, 1) && set(CURLOPT_CONNECTTIMEOUT, seconds)
        // Slower than a byte per second for that long.
        && set(CURLOPT_LOW_SPEED_LIMIT, 1) && set(CURLOPT_LOW_SPEED_TIME, seconds)
        // Several connections are faster than one with several streams for values of megabytes.
        && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        && set(CURLOPT_BUFFERSIZE, 128 << 10) && set(CURLOPT_UPLOAD_BUFFERSIZE, 128 << 10)
        && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func setTrust(_ certificates: String?) -> Bool {
      certificates.map { set(CURLOPT_CAINFO, $0) } ?? true
    }

    private func set(_ option: CURLoption, _ value: Int) -> Bool {
      strata_curl_set_number(handle, option, value) == CURLE_OK
    }

    /// libcurl copies the text.
    private func set(_ option: CURLoption, _ value: String) -> Bool {
      value.withCString { strata_curl_set_pointer(handle, option, $0) } == CURLE_OK
    }

    // MARK: Calls of libcurl

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
      guard let context else { preconditionFailure("libcurl lost the transfer's context") }
      return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Allows libcurl to send the request. If a kept connection ends without a response, libcurl would send the request
    /// once more, although the server may have executed it.
    private func announce() -> CInt {
      attempts += 1
      let isAllowed = attempts == 1 || request.isRepeatable
      return CInt(isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
    }

    private func provide(_ bytes: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
      guard let body = request.body, let bytes else { return 0 }
      let count = min(capacity, body.count - sentBytes)
      let start = body.startIndex + sentBytes
      bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
        body.copyBytes(to: $0, from: start..<start + count)
      }
      sentBytes += count
      return count
    }

    private func rewind(to offset: Int) -> CInt {
      sentBytes = offset
      return CURL_SEEKFUNC_OK
    }

    /// Receives a line of the header: the status, a field, or the empty line at the end.
    private func receiveField(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
      let line = UnsafeRawBufferPointer(start: bytes, count: count)
      if line.starts(with: "HTTP/".utf8) {
        // After an interim response, a redirection, or a lost connection.
        (fields, body) = ([:], ReceivedBytes())
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = Self.trimmed(line[(colon + 1)...])
        fields[name] = fields[name].map { "\($0), \(value)" } ?? value
      } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
        return begin() ? count : 0
      }
      return count
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
      let isSpace = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
      guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
      return String(decoding: bytes[...last].drop(while: isSpace), as: UTF8.self)
    }

    /// Prepares for the body. Returns whether the body may arrive.
    private func begin() -> Bool {
      let status = Int(strata_curl_status(handle))
      guard status >= 200 else { return true }
      limit = exchange.limit(status)
      // The responses to `HEAD` and with status 304 state the length of a body that they do not have.
      guard request.method != "HEAD", status != 304,
        let length = fields["content-length"].flatMap({ Int($0) })
      else { return true }
      isExceeded = length > limit
      if !isExceeded { body = ReceivedBytes(expecting: length) }
      return !isExceeded
    }

    /// Receives a part of the body. libcurl ends the transfer if another number of bytes is returned.
    private func receive(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
      guard let bytes, count > 0 else { return count }
      isExceeded = count > limit - body.count
      if isExceeded {
        body = ReceivedBytes()
        return 0
      }
      body.append(UnsafeRawBufferPointer(start: bytes, count: count))
      return count
    }
  }

  extension S3ConnectionError.Reason {
    fileprivate init(_ code: CURLcode, isSent: Bool) {
      switch code {
      case CURLE_OPERATION_TIMEDOUT: self = .timedOut
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: self = .unreachable
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_ISSUER_ERROR:
        self = .untrusted
      // An answer that is not HTTP has the same codes.
      case CURLE_URL_MALFORMAT where !isSent, CURLE_UNSUPPORTED_PROTOCOL where !isSent: self = .unsupported
      default: self = .lost
      }
    }
  }
#endif
