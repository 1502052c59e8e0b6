package io.remuda.coordinator.store;

import io.remuda.agent.settings.FreeDiskSpaceCheck;
import java.nio.file.Path;
import java.sql.SQLException;

/** What a fault of a database says of the state in it. */
final class DatabaseFault {

  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int IO_ERROR = 10;
  private static final int NOT_A_DATABASE = 26;

  /** SQLITE_ERROR: a statement names what is not there, or makes what is there. */
  private static final int WRONG_STATEMENT = 1;

  /** The same as a class of SQL states, of PostgreSQL. */
  private static final String WRONG_TABLES = "42";

  private DatabaseFault() {}

  /** Returns whether a statement does not go with the tables, or the driver finds no column. */
  static boolean isOfOtherTables(SQLException fault) {
    if (fault.getSQLState() != null && fault.getSQLState().startsWith(WRONG_TABLES)) {
      return true;
    }
    int code = fault.getErrorCode() & 0xff;
    return code == WRONG_STATEMENT
        || code == 0 && String.valueOf(fault.getMessage()).startsWith("no such column");
  }

  /** Says that a statement does not go with the tables. */
  static String otherTables(SQLException fault) {
    return "its tables are not those that its version says ("
        + fault.getMessage()
        + "): it is damaged, or another program has changed it";
  }

  /** Says what a value is that no build has written. */
  static String unreadable(RuntimeException fault) {
    return fault instanceof IllegalArgumentException
        ? fault.getMessage()
        : "it has a value that no build writes (" + fault.getMessage() + "): it is damaged";
  }

  /**
   * Returns whether the disk is full: SQLite reports only an I/O error if there is no space for its
   * shared-memory file.
   */
  static boolean isOfFullDisk(SQLException fault, Path folder) {
    int code = fault.getErrorCode() & 0xff;
    return code == FULL || (code == IO_ERROR && FreeDiskSpaceCheck.shortage(folder).isPresent());
  }

  /** Returns whether SQLite says that the file is damaged, or none of its own. */
  static boolean isDamage(SQLException fault) {
    int code = fault.getErrorCode() & 0xff;
    return code == CORRUPT || code == NOT_A_DATABASE;
  }
}
