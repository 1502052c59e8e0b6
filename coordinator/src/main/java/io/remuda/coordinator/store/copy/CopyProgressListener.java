package io.remuda.coordinator.store.copy;

/** Is told how far a copy is, after each portion of rows. */
public interface CopyProgressListener {

  /** What is done with the rows of a table. */
  enum Phase {
    COPIED,
    COMPARED
  }

  /**
   * Some more rows are done.
   *
   * @param done how many of the table, with those of an earlier try
   * @param all how many there are
   */
  void at(Phase phase, String table, long done, long all);
}
