internal import CPostgres

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The result of a statement, in PostgreSQL's binary format.
///
/// Unchecked: libpq's result never changes after it was received.
final class Rows: @unchecked Sendable {
  private let result: OpaquePointer

  /// Takes over a result of libpq.
  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  /// The number of rows.
  var count: Int { Int(PQntuples(result)) }

  /// The number of rows that the statement has changed.
  var changed: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The server's error, if the statement failed.
  var failure: PostgresServerError? {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: nil
    default:
      PostgresServerError(field("C") ?? "", field("M") ?? String(cString: PQresultErrorMessage(result)))
    }
  }

  var status: ExecStatusType { PQresultStatus(result) }

  private func field(_ code: Unicode.Scalar) -> String? {
    PQresultErrorField(result, CInt(code.value)).map { String(cString: $0) }
  }

  /// Returns a value; `nil` for NULL.
  func data(_ row: Int, _ column: Int) -> Data? { withBytes(row, column) { Data($0) } }

  /// Passes the bytes of a value to `body`; `nil` for NULL.
  func withBytes<R>(_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
    if PQgetisnull(result, CInt(row), CInt(column)) == 1 { return nil }
    let count = Int(PQgetlength(result, CInt(row), CInt(column)))
    return body(UnsafeRawBufferPointer(start: PQgetvalue(result, CInt(row), CInt(column)), count: count))
  }

  /// Returns an integer of eight bytes; `nil` for NULL.
  func integer(_ row: Int, _ column: Int) -> Int64? {
    withBytes(row, column) { bytes in
      bytes.count == 8 ? Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)) : nil
    } ?? nil
  }

  /// Returns a text; `nil` for NULL.
  func text(_ row: Int, _ column: Int) -> String? {
    withBytes(row, column) { String(decoding: $0, as: UTF8.self) }
  }
}
