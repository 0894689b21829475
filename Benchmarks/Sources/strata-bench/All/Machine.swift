import Foundation

/// The properties of the machine that results depend on, without properties that identify the machine.
enum Machine {
  /// Processor cores, memory, system and compiler, in one line.
  static var description: String {
    let information = ProcessInfo.processInfo
    let memory = (Double(information.physicalMemory) / Double(1 << 30)).rounded()
    return """
      \(information.activeProcessorCount) cores, \(Int(memory)) GB of memory, \(system), \(architecture), \
      Swift \(compiler)
      """
  }

  private static var system: String {
    #if os(Linux)
      // The line of os-release with the system's name for display.
      let release = FileManager.default.contents(atPath: "/etc/os-release") ?? Data()
      let name = String(decoding: release, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
      return name.map { $0.trimmingCharacters(in: ["\""]) } ?? "Linux"
    #else
      return ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "another architecture"
    #endif
  }

  /// The compiler's version, which is available only through `#if` conditions.
  private static var compiler: String {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
