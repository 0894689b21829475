extension Table {
  /// The statement that creates the table unless it exists.
  ///
  /// Of several concurrent clients one creates it, and the others wait. If the table exists, no lock is taken, and no
  /// permission to create tables is needed.
  func creation(_ durability: PostgresDurability) -> String {
    let kind = durability == .unlogged ? "UNLOGGED TABLE" : "TABLE"
    // The session may have cached that there is no such table, although another client created it before it released
    // the lock.
    return block(
      """
      IF to_regclass(\(literal(quoted))) IS NULL THEN
        PERFORM pg_advisory_xact_lock(\(Self.lock));
        BEGIN
          CREATE \(kind) \(quoted)
            (key bytea PRIMARY KEY, name bytea, value bytea, expires timestamptz) WITH (fillfactor = 80);
          ALTER TABLE \(quoted) ALTER COLUMN value SET STORAGE EXTERNAL;
          CREATE INDEX ON \(quoted) (expires) WHERE expires IS NOT NULL;
        EXCEPTION WHEN duplicate_table THEN NULL;
        END;
      END IF;
      """)
  }

  /// The query that returns the schema of the table.
  var location: String {
    "SELECT n.nspname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
      + "WHERE c.oid = to_regclass(\(literal(quoted)))"
  }

  /// What `identity` is for a table without triggers.
  static let untold = "0"

  /// The query that returns the identities of the table and of its last trigger; NULL without a trigger, and no row
  /// without a table.
  var identity: String {
    "SELECT c.oid || ' ' || t.oid FROM pg_class c LEFT JOIN pg_trigger t ON t.tgrelid = c.oid "
      + "AND t.tgname = 'strata_announce_truncate' WHERE c.oid = to_regclass(\(literal(quoted)))"
  }

  /// The statement that creates the triggers unless they exist: each sends the keys that a statement has changed to a
  /// channel, or `*` if there are too many.
  func triggers(schema: String, channel: String) -> String {
    let function = StrataPostgres.quoted(schema) + ".strata_announce_1"
    let events = [
      ("insert", "INSERT", "REFERENCING NEW TABLE AS changed"),
      ("update", "UPDATE", "REFERENCING OLD TABLE AS replaced NEW TABLE AS changed"),
      ("delete", "DELETE", "REFERENCING OLD TABLE AS changed"),
      ("truncate", "TRUNCATE", ""),
    ]
    let triggers = events.map { name, event, tables in
      """
      CREATE TRIGGER strata_announce_\(name) AFTER \(event) ON \(quoted) \(tables)
        FOR EACH STATEMENT EXECUTE FUNCTION \(function)(\(literal(channel)));
      """
    }
    let isMissing =
      "NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass(\(literal(quoted))) "
      + "AND tgname = 'strata_announce_truncate')"
    return block(
      """
      IF \(isMissing) THEN
        PERFORM pg_advisory_xact_lock(\(Self.lock));
        IF \(isMissing) THEN
          IF NOT EXISTS (SELECT 1 FROM pg_proc WHERE proname = 'strata_announce_1'
            AND pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(literal(schema)))) THEN
            CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS \(literal(Self.announce));
          END IF;
          \(triggers.joined(separator: "\n    "))
          -- The table may have replaced another one, whose rows others have in memory.
          PERFORM pg_notify(\(literal(channel)), '*');
        END IF;
      END IF;
      """)
  }

  /// The advisory lock of all clients that create tables.
  private static let lock = 0x5374_7261_7461

  private func block(_ body: String) -> String { "DO " + literal("BEGIN\n\(body)\nEND") }

  /// The function of the triggers. A notification has at most 8 000 bytes.
  private static let announce = """
    DECLARE
      total bigint;
      codes text;
    BEGIN
      IF current_setting('strata.quiet', true) = 'on' THEN RETURN NULL; END IF;
      IF TG_OP = 'TRUNCATE' THEN
        PERFORM pg_notify(TG_ARGV[0], '*');
        RETURN NULL;
      END IF;
      IF TG_OP = 'UPDATE' THEN
        SELECT count(*), string_agg(translate(encode(k, 'base64'), E'\\n', ''), ',') INTO total, codes
        FROM (SELECT coalesce(name, key) AS k FROM changed WHERE key < '\\xff'
          UNION SELECT coalesce(name, key) FROM replaced WHERE key < '\\xff') AS keys;
      ELSE
        SELECT count(*), string_agg(translate(encode(coalesce(name, key), 'base64'), E'\\n', ''), ',')
        INTO total, codes FROM changed WHERE key < '\\xff';
      END IF;
      IF total = 0 THEN RETURN NULL; END IF;
      IF length(codes) < 7900 THEN
        PERFORM pg_notify(TG_ARGV[0], codes);
      ELSIF length(codes) > 1000000 THEN
        PERFORM pg_notify(TG_ARGV[0], '*');
      ELSE
        PERFORM pg_notify(TG_ARGV[0], CASE WHEN max(length(code)) < 7900 - 3900 THEN string_agg(code, ',') ELSE '*' END)
        FROM (SELECT code, sum(length(code) + 1) OVER (ORDER BY number) / 3900 AS part
          FROM unnest(string_to_array(codes, ',')) WITH ORDINALITY AS c (code, number)) AS parts
        GROUP BY part;
      END IF;
      RETURN NULL;
    END
    """
}
