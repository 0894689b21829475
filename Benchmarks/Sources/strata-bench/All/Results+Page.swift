import BenchHarness

extension Results {
  /// A question that one table answers: some columns and rows of a section.
  struct Question {
    let title: String
    let text: String
    let report: String
    let section: String
    let columns: [String]
    var rows: [String: [String]] = [:]
  }

  /// The page for readers: the missed aims, and a table for each question.
  var page: String {
    let unasked = reports.map(\.title).filter { title in !Self.questions.contains { $0.report == title } }
    let minutes = Cell.number(minutes, decimals: 1, unit: "").shown
    var blocks = [
      "# Results",
      """
      Measured by `make bench` on \(date), in \(minutes) minutes, on \(machine). [README.md](README.md) says how. \
      Times are those of this machine on that day. Compare the ratios, each of which was taken within one run.
      """,
      """
      Each table answers one question. [Results.json](Results.json) has all other figures, also those of \
      \(unasked.joined(separator: ", ")); `strata-bench results --data Benchmarks/Results.json --suite all` prints them. \
      [ResultsPlots](ResultsPlots) has the charts: hit ratios of each trace, growth, scaling.
      """,
    ]
    if isQuick { blocks.append("**A quick run: it shows that everything runs, and says nothing of speed.**") }
    blocks += omitted
    let aims = reports.flatMap(\.aims)
    let missed = aims.filter { !$0.isMet }
    if !isQuick {
      var table = Table(["aim", "measured"])
      for aim in missed { table.add([.text(aim.statement), .text(aim.measured)]) }
      blocks += ["## Missed aims", "\(missed.count) of \(aims.count) aims are missed.", table.markdown]
    }
    for question in Self.questions {
      let report = reports.first { $0.title == question.report }
      let section = report?.sections.first { $0.title == question.section }
      guard let table = section?.table?.selecting(question.columns, where: question.rows) else { continue }
      blocks += ["## \(question.title)", question.text, table.markdown]
    }
    return blocks.map { $0.hasPrefix("|") ? $0 : $0.wrapped(columns: 120) }.joined(separator: "\n\n") + "\n"
  }

  static let questions = [
    Question(
      title: "How long does a hit in memory take?",
      text: """
        A struct under one of 10 000 strings, one thread; ratios against `Dictionary` behind a mutex. `NSCache` is that \
        of Foundation for Linux; Apple's was not measured. `Storage` and `AsyncStorage` have a disk below the memory.
        """,
      report: "Chain", section: "Hit in memory", columns: ["store", "ns an operation", "ratio"]),
    Question(
      title: "And with a million entries, and a second thread?",
      text: """
        Strings as keys, chosen by Zipf's law. ns an operation, those of both threads together; ratios against \
        `Dictionary` behind a mutex with as many threads.
        """,
      report: "Memory", section: "Hit: 1 000 000 entries, String keys",
      columns: ["cache", "1 thread", "1: ratio", "2 threads", "2: ratio"]),
    Question(
      title: "How fast is a full cache?",
      text: """
        100 000 entries of a million strings; a miss stores its entry, which evicts another. ns an operation, speeds \
        against a textbook LRU: higher is faster.
        """,
      report: "Memory", section: "Capacity 100 000: reads that insert on a miss, String keys",
      columns: ["cache", "1 thread", "1: speed", "2 threads", "2: speed", "hits, %"]),
    Question(
      title: "How much memory does an entry take?",
      text: "Bytes for an integer under an integer, each cache in a process of its own.",
      report: "Memory", section: "Bytes an entry: 1 000 000 Int → Int",
      columns: ["cache", "allocated", "allocated, ratio", "resident", "resident, ratio"]),
    Question(
      title: "How many reads hit?",
      text: """
        The mean over traces of twelve real programs, at three sizes each. Strata is `MemoryStorage` itself. OPT knows \
        the future. Strata, OPT and LRU are computed here; the figures of Caffeine and the other policies come with the \
        traces.
        """,
      report: "Hit ratio", section: "Means", columns: ["policy", "mean of 36 rows, %"]),
    Question(
      title: "How long does a miss in memory take that the disk answers?",
      text:
        "The same struct as JSON, in the system's memory; ratios against a file for each value, by Foundation.",
      report: "Chain", section: "Miss in memory, hit on disk",
      columns: ["store", "µs an operation", "ratio"]),
    Question(
      title: "How fast is the disk store?",
      text: """
        100 bytes under one of 100 000 keys, one thread, µs an operation; ratios against a bare `pread`, and a bare \
        `write` to the end of a file. Cold: no file is in the system's memory. LMDB does not wait for the disk either; \
        it reads without a copy, and is faster while all fits into memory. SQLite as it comes waits for the disk.
        """,
      report: "Disk", section: "Gets and puts",
      columns: ["store", "get", "get, ratio", "put", "put, ratio", "cold get", "cold put"],
      rows: ["value": ["100 B"], "entries": ["100 000"], "threads": ["1"]]),
    Question(
      title: "How long does opening a store take?",
      text: """
        A million entries of 100 bytes, from opening to the end of the first read. `DiskStorage` takes longer than the \
        databases: it first reads an index of all keys into memory.
        """,
      report: "Disk", section: "Opened anew: 1 000 000 entries of 100 B",
      columns: ["store", "opened and read, ms", "opened and read, cold, ms"]),
    Question(
      title: "What does Strata add to SQLite, LMDB and RocksDB?",
      text: "100 bytes, one thread: the time as a multiple of that of the engine's own C API.",
      report: "Backends", section: "Against the engines' own C APIs: 100 B",
      columns: ["store", "get", "put", "get in batches", "put in batches"], rows: ["threads": ["1"]]),
    Question(
      title: "How fast is CBOR, beside Foundation's JSON?",
      text: "Processor time, of a few kinds of values. The text with accents gains least when it is decoded.",
      report: "Codec", section: "CBOR against Foundation's JSON",
      columns: ["value", "CBOR's, ratio", "CBOR encoded, times faster", "CBOR decoded, times faster"],
      rows: [
        "value": [
          "three fields", "30 records of 12 fields", "1 000 structs of two numbers",
          "a text with a few accents",
        ]
      ]),
    Question(
      title: "Which compression suits small records?",
      text: "340 bytes of JSON each, 100 000 of them on disk; µs of the processor.",
      report: "Codec", section: "100 000 small records on disk",
      columns: ["compressor", "bytes a value", "on disk, bytes an entry", "put, µs", "get, µs"],
      rows: ["compressor": ["zlib 6", "LZ4", "zstd 3", "zstd 3, dictionary", "zstd 9, dictionary"]]),
    Question(
      title: "How many calls does Redis answer?",
      text: """
        Calls a second on one connection, by tasks on the client's executor, against `redis-benchmark`, which only \
        counts replies in one thread of C. Tasks in Swift's pool make fewer calls; those are in the data.
        """,
      report: "Redis", section: "Against redis-benchmark",
      columns: ["operation", "tasks", "Strata/s", "redis-benchmark/s", "ratio", "50 % µs", "99 % µs"],
      rows: ["they run": ["on the client's executor"], "operation": ["SET", "GET"]]),
    Question(
      title: "And PostgreSQL?",
      text: "Calls a second over eight connections, against `pgbench` with one for each client.",
      report: "PostgreSQL", section: "Against pgbench",
      columns: ["operation", "tasks", "Strata/s", "pgbench/s", "ratio", "50 % µs", "99 % µs"],
      rows: ["they run": ["on the client's executor"]]),
    Question(
      title: "And beside other clients in Swift?",
      text: """
        Calls a second by tasks in Swift's pool, over values of 100 bytes. Measured apart from the rest, on the day that \
        the data names, by a package that fetches these clients.
        """,
      report: "Peers", section: "Clients in Swift",
      columns: ["peer", "operation", "tasks", "Strata/s", "peer/s", "ratio"]),
    Question(
      title: "When has another machine's memory dropped an old value?",
      text: "Two clients of one Redis on the loopback.",
      report: "Coherence", section: "From a write to the memory of another",
      columns: ["since the write was called, µs", "50 %", "99 %", "99.9 %"]),
    Question(
      title: "What does encryption cost?",
      text: "10 kB by XChaCha20-Poly1305, µs; ratios against libsodium's C API.",
      report: "Secrets", section: "Encryption",
      columns: ["by", "encrypt", "ratio", "decrypt", "ratio of decrypt"],
      rows: ["value": ["10 kB"]]),
  ]
}
