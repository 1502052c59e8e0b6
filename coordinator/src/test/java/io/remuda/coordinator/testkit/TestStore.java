package io.remuda.coordinator.testkit;

import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.StoreDamagedException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the servers of tests have their state: a file in their home or, with {@code
 * -Dtests.store=postgres}, a place in {@link TestPostgres} for each home. Tests about the file have
 * the tag {@link #STATE_FILE}; the switch leaves them out.
 */
public final class TestStore {

  /** The tag of tests about the state file: its backup, its damage, the disk that it is on. */
  public static final String STATE_FILE = "state-file";

  private static final String PROPERTY = "tests.store";
  private static final Map<Path, String> PLACES = new HashMap<>();

  private TestStore() {}

  /** Opens the state of a server that does not run. */
  public static StoreOpener.Opened open(Path home) throws IOException, StoreDamagedException {
    Clock clock = Clock.systemUTC();
    return isDatabase()
        ? StoreOpener.open(new PostgresDatabase(place(home)), clock)
        : StoreOpener.open(home, clock);
  }

  /** Returns the words of a command; those of a server that names no store get one. */
  static List<String> placed(Path home, List<String> words) throws IOException {
    boolean server = !words.isEmpty() && words.get(0).equals("serve");
    if (!server || !isDatabase() || words.contains("--store") || words.contains("--cluster")) {
      return words;
    }
    List<String> placed = new ArrayList<>(words);
    placed.addAll(1, List.of("--store", place(home)));
    return placed;
  }

  private static boolean isDatabase() {
    return switch (System.getProperty(PROPERTY, "files")) {
      case "files" -> false;
      case "postgres" -> true;
      default ->
          throw new IllegalStateException(
              "-D" + PROPERTY + " is files or postgres, got " + System.getProperty(PROPERTY));
    };
  }

  private static synchronized String place(Path home) throws IOException {
    String known = PLACES.get(home);
    if (known == null) {
      try {
        known = TestPostgres.newUrl();
      } catch (SQLException fault) {
        throw new IOException(fault);
      }
      PLACES.put(home, known);
    }
    return known;
  }
}
