#if os(Linux)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataDisk

  /// Streams in several processes, which are killed.
  struct StreamProcessTests {
    static let layouts: [String: DiskLayout] = ["automatic": .automatic, "packed": .packed, "files": .files]

    private static func open(_ words: [String]) throws -> DiskStorage<String> {
      try DiskStorage(
        config: DiskConfig(
          name: "store", directory: URL(filePath: words[1]), layout: #require(layouts[words[0]])))
    }

    /// `kill -9` at a random moment of many writes: the value is one of the two, and nothing is left over.
    @Test(arguments: ["automatic", "packed", "files"])
    func aWriterIsKilled(_ layout: String) async throws {
      if let words = SecondProcess.arguments {
        if words[0] != layout { return }
        await SecondProcess.run {
          let disk = try Self.open(words)
          var round = Int(words[2]) ?? 0
          SecondProcess.say("began")
          while true {
            try await disk.write(
              forKey: "film", from: PartSequence(bytes(2_500_000 + round % 2, seed: round % 2), by: 700_000))
            round += 1
          }
        }
      }
      let folder = try TestFolder(#require(Self.layouts[layout]))
      let values = (0..<2).map { bytes(2_500_000 + $0, seed: $0) }
      let disk = try folder.open()
      try await disk.write(forKey: "film", from: PartSequence(values[0], by: 1 << 20))
      var random = SeededGenerator(seed: Soak.seed)
      for round in 0..<Soak.rounds(8, soak: 300) {
        let writer = try SecondProcess.start(words: [layout, folder.url.path, "\(round)"])
        try await writer.says("began")
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          let read = try await disk.read(forKey: "film").data()
          #expect(values.contains(read))
          usleep(UInt32.random(in: 0..<3000, using: &random))
        }
        writer.signal(SIGKILL)
        writer.wait()
        let found = try await disk.read(forKey: "film").data()
        #expect(values.contains(found), "round \(round), seed \(Soak.seed)")
        let opened = try folder.open()
        try await opened.setObject(text("v"), forKey: "k")
        #expect(try await opened.object(forKey: "film") == found)
        #expect(try opened.verify() == [], "round \(round), seed \(Soak.seed)")
        #expect(try folder.names().filter(EntryName.isTemporary) == [])
        #expect(try folder.names(EntryName.values).count == 1)
      }
      #expect(folder.damage.all == [])
    }

    /// An opening deletes what killed processes left, and not the file that a living one is writing.
    @Test(arguments: ["automatic", "packed", "files"])
    func aLivingWriterGoesOn(_ layout: String) async throws {
      if let words = SecondProcess.arguments {
        if words[0] != layout { return }
        await SecondProcess.run {
          let staged = try await Self.open(words).stage("film", nil, [])
          try await staged.append(bytes(3_000_000))
          SecondProcess.say("began")
          let line = ProcessLine(URL(filePath: words[2]))
          await line.marks(1)
          try await staged.commit(ifAbsent: false)
        }
      }
      let folder = try TestFolder(#require(Self.layouts[layout]))
      let mark = folder.url.appending(path: "mark")
      let writer = try SecondProcess.start(words: [layout, folder.url.path, mark.path])
      let other = try SecondProcess.start(words: [layout, folder.url.path, mark.path])
      try await writer.says("began")
      try await other.says("began")
      #expect(try folder.names().filter(EntryName.isTemporary).count == 2)
      other.signal(SIGKILL)
      other.wait()
      let disk = try folder.open()
      #expect(try folder.names().filter(EntryName.isTemporary).count == 1)
      #expect(try disk.verify() == [])
      try ProcessLine(mark).mark()
      #expect(writer.wait() == .exit(0))
      #expect(try await disk.object(forKey: "film") == bytes(3_000_000))
    }

    /// Another process keeps the file of a value in place, and is killed.
    @Test(arguments: ["automatic", "files"])
    func anotherProcessKeepsTheFile(_ layout: String) async throws {
      if let words = SecondProcess.arguments {
        if words[0] != layout { return }
        await SecondProcess.run {
          let file = try await Self.open(words).fileURL(forKey: "film")
          SecondProcess.say("has it")
          await ProcessLine(URL(filePath: words[1] + "/never")).marks(1)
          withExtendedLifetime(file) {}
        }
      }
      let folder = try TestFolder(#require(Self.layouts[layout]))
      let disk = try folder.open()
      let url = try await disk.write(bytes(2_000_000), for: "film")
      let keeper = try SecondProcess.start(words: [layout, folder.url.path])
      try await keeper.says("has it")
      try await disk.removeAll()
      #expect(try await disk.keys() == [])
      #expect(try Data(contentsOf: url) == bytes(2_000_000))
      keeper.signal(SIGKILL)
      keeper.wait()
      _ = try folder.open()
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    /// Memory stays far below the size of the value.
    @Test(arguments: ["automatic", "files"])
    func aFileOfALargeValueNeedsLittleMemory(_ layout: String) async throws {
      let size = Soak.isOn ? 4 << 30 : 256 << 20
      if let words = SecondProcess.arguments {
        if words[0] != layout { return }
        await SecondProcess.run {
          let disk = try Self.open(words)
          // What a first use needs, of any size.
          try await disk.write(forKey: "film", from: PartSequence(bytes(3 << 20), by: 1 << 20))
          for try await _ in try await disk.read(forKey: "film") {}
          let part = bytes(1 << 20)
          let idle = try Self.residentMemory("VmRSS")
          try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
          try await disk.write(forKey: "film", from: Repeated(part, size >> 20))
          var count = 0
          for try await found in try await disk.read(forKey: "film") {
            guard found == part else { throw POSIXError(.EIO) }
            count += 1
          }
          let copy = URL(filePath: words[1] + "/copy")
          try await disk.exportFile(forKey: "film", to: copy)
          try await disk.importFile(copy, forKey: "film")
          let grown = try Self.residentMemory("VmHWM") - idle
          SecondProcess.say("\(count) parts")
          SecondProcess.say(grown <= 32 << 10 ? "bounded" : "grown by \(grown) kB")
        }
      }
      let folder = try TestFolder(#require(Self.layouts[layout]))
      let copier = try SecondProcess.start(words: [layout, folder.url.path])
      copier.wait(limit: .seconds(600))
      let lines = try copier.lines
      #expect(lines.contains("\(size >> 20) parts") && lines.contains("bounded"), "\(lines.suffix(3))")
    }

    /// Returns a line of `/proc/self/status`, in kB.
    private static func residentMemory(_ name: String) throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
      return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
    }
  }
#endif
