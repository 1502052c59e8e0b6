package io.remuda.coordinator.store;

import io.remuda.agent.settings.NativeCode;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.OSInfo;

/** Where the code of SQLite is loaded from. */
public final class SqliteLibrary {

  private static final String FOLDER = "org.sqlite.lib.path";

  private SqliteLibrary() {}

  /**
   * Has it loaded from the cache folder, before the first use of a store.
   *
   * @throws IOException if the cache cannot hold it, with what to do
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
    Path file = NativeCode.unpack(cache, "sqlite-" + SQLiteJDBCLoader.getVersion(), packed);
    System.setProperty(FOLDER, file.getParent().toString());
    System.setProperty("org.sqlite.lib.name", name);
    System.setProperty("org.sqlite.tmpdir", file.getParent().toString());
  }
}
