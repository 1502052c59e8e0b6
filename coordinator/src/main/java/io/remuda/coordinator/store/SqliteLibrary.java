package io.remuda.coordinator.store;

import io.remuda.agent.settings.NativeLibraryUnpacker;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.OSInfo;

/** Sets where SQLite's native library is loaded from. */
public final class SqliteLibrary {

  private static final String FOLDER = "org.sqlite.lib.path";

  private SqliteLibrary() {}

  /**
   * Unpacks the library into the cache folder and has it loaded from there. Must be called before
   * the first use of a store.
   *
   * @throws IOException if that fails; the message says what to do
   */
  public static void useFrom(Path cache) throws IOException {
    if (System.getProperty(FOLDER) != null) {
      return;
    }
    String name = System.mapLibraryName("sqlitejdbc");
    URL packed =
        SQLiteJDBCLoader.class.getResource(
            "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/" + name);
    if (packed == null) {
      throw new IOException("SQLite has no library for " + OSInfo.getOSName());
    }
    Path file =
        NativeLibraryUnpacker.unpack(cache, "sqlite-" + SQLiteJDBCLoader.getVersion(), packed);
    System.setProperty(FOLDER, file.getParent().toString());
    System.setProperty("org.sqlite.lib.name", name);
    System.setProperty("org.sqlite.tmpdir", file.getParent().toString());
  }
}
