package io.remuda.coordinator.cli.select;

/**
 * What the server is asked of each job that it lists, besides what its row has.
 *
 * @param progress how far it is
 * @param terms what it asked for
 * @param peak the most memory that a task of it had
 */
public record JobDetailSelection(boolean progress, boolean terms, boolean peak) {

  /** What its row has. */
  public static final JobDetailSelection NONE = new JobDetailSelection(false, false, false);

  /** Also how far it is. */
  public static final JobDetailSelection PROGRESS = new JobDetailSelection(true, false, false);

  /** Returns it as a part of a query. */
  String query() {
    return (progress ? "&progress" : "") + (terms ? "&terms" : "") + (peak ? "&peak" : "");
  }
}
