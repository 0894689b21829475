internal import CLMDB

extension MDB_val {
  /// Creates a reference to bytes. LMDB does not change them, although the type is mutable.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// The bytes that LMDB returned.
  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}
