import StrataPostgres
import TestSupport
import Testing

@Suite struct PostgresConfigTests {
  @Test func allPartsOfAURLAreParsed() throws {
    let config = try PostgresConfig(
      url: "postgresql://ada:s%2Fcret@db.internal:6432/app?sslmode=verify-full&sslrootcert=/ca.pem")
    #expect(config.host == "db.internal" && config.port == 6432)
    #expect(config.database == "app" && config.user == "ada" && config.password == "s/cret")
    #expect(config.tls == PostgresTLS(authorities: "/ca.pem"))
    let words = try PostgresConfig(url: "host=/run/postgresql dbname=app user=ada")
    #expect(words.host == "/run/postgresql" && words.tls == nil)
  }

  @Test(
    arguments: [
      "postgres://ada:secret@db/app?sslmode=require", "postgres://ada:secret@db/app?target_session_attrs=any",
      "postgres://ada:secret@db/app?nonsense=1", "redis://ada:secret@db",
      "postgres://ada:secret@db:70000/app",
    ]) func whatIsNotKnownIsRefused(_ url: String) async
  {
    let error = await failure { try PostgresConfig(url: url) }
    #expect(error == .invalidConfiguration)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func descriptionsHaveNoPassword() throws {
    let config = try PostgresConfig(url: "postgres://ada:secret@db/app")
    var dumped = ""
    dump(config, to: &dumped)
    for said in [dumped, "\(config)", String(reflecting: config)] { #expect(!said.contains("secret")) }
    #expect("\(config)" == "postgres://ada@db:5432/app")
  }
}
