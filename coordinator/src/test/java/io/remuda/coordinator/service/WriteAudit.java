package io.remuda.coordinator.service;

import io.remuda.coordinator.testkit.PostgresProcess;
import java.sql.SQLException;
import java.util.List;

/** Notes in the database who writes into a state, and in which epoch. */
final class WriteAudit {

  private static final List<String> TABLES = List.of("meta", "jobs", "tasks", "events");

  private final PostgresProcess store;

  /** Begins to note; a write that is rolled back leaves no note. */
  WriteAudit(PostgresProcess store) throws SQLException {
    this.store = store;
    store.run(
        "CREATE TABLE public.writes (number BIGINT GENERATED ALWAYS AS IDENTITY, name TEXT,"
            + " client TEXT, epoch BIGINT)");
    store.run(
        "CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " INSERT INTO public.writes (name, client, epoch) SELECT TG_TABLE_NAME,"
            + " host(inet_client_addr()), value::bigint FROM remuda.meta WHERE key = 'epoch';"
            + " RETURN NULL; END $$");
    for (String table : TABLES) {
      store.run(
          "CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON remuda."
              + table
              + " FOR EACH STATEMENT EXECUTE FUNCTION public.note()");
    }
  }

  /** How many statements have written in an epoch. */
  long writesIn(long epoch) throws SQLException {
    return store.number("SELECT count(*) FROM public.writes WHERE epoch = " + epoch);
  }

  /** What came from a host in an epoch or a later one. */
  List<String> writesFrom(String client, long epoch) throws SQLException {
    return store.column(
        "SELECT name || ' in ' || epoch FROM public.writes WHERE client = '"
            + client
            + "' AND epoch >= "
            + epoch);
  }
}
