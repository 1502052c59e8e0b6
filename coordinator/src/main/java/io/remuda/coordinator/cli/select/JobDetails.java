package io.remuda.coordinator.cli.select;

/** What the server is asked of each job that it lists. */
public enum JobDetails {
  /** What its row has. */
  NONE(""),
  /** Also how far it is. */
  PROGRESS("&progress"),
  /** Also what it asked for. */
  PROGRESS_AND_TERMS("&progress&terms");

  private final String query;

  JobDetails(String query) {
    this.query = query;
  }

  /** Returns it as a part of a query. */
  String query() {
    return query;
  }
}
