import CMalloc

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// The memory of the process.
public enum Heap {
  /// The bytes of all allocated blocks, including the allocator's overhead for each; free blocks do not count.
  public static var bytesInUse: Int {
    #if canImport(Darwin)
      var statistics = malloc_statistics_t()
      malloc_zone_statistics(nil, &statistics)
      return statistics.size_in_use
    #else
      let info = mallinfo2()
      return Int(info.uordblks + info.hblkhd)
    #endif
  }

  /// The resident memory of the process in bytes.
  public static var residentBytes: Int {
    #if canImport(Darwin)
      var info = mach_task_basic_info()
      var count = mach_msg_type_number_t(
        MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
      _ = withUnsafeMutablePointer(to: &info) { info in
        info.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return Int(info.resident_size)
    #else
      let statistics = FileManager.default.contents(atPath: "/proc/self/statm") ?? Data()
      let pages = String(decoding: statistics, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      return pages.count > 1 ? pages[1] * sysconf(Int32(_SC_PAGESIZE)) : 0
    #endif
  }
}
