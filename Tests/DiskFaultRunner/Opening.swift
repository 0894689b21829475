import CFaults
import Foundation
import Glibc
import StrataDisk

/// Opens a store while another process deletes and creates its folder. Each file that is opened is missing once.
enum Opening {
  /// Returns the violations.
  static func check(in place: URL) throws -> [String] {
    var violations: [String] = []
    var call = 0
    while true {
      call += 1
      let config = DiskConfig(name: "store", directory: place)
      let folder = Folder(place.appending(path: "store"))
      folder.remove()
      faults_arm(CUnsignedInt(FAULTS_OPEN), call, CInt(FAULTS_FAIL), ENOENT, 0)
      let result = Result { try DiskStorage<String>(config: config) }
      faults_disarm()
      if faults_shared().pointee.struck == 0 { break }
      do {
        let store = try result.get()
        try store.setObject(Data("a value".utf8), forKey: "k", expiry: nil)
        let value = try DiskStorage<String>(config: config).object(forKey: "k")
        if value != Data("a value".utf8) { violations.append("call \(call): \(value) is stored") }
      } catch { violations.append("call \(call) is missing: \(error)") }
    }
    if call < 4 { violations.append("only \(call - 1) files were opened") }
    return violations
  }
}
