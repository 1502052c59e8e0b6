package io.remuda.coordinator.cli.top;

/**
 * The GPUs and jobs that a screen shows.
 *
 * @param legend whether a line that names the keys fits
 */
record TopLayout(VisibleRange gpus, VisibleRange jobs, boolean legend) {

  private static final int ROWS_WITH_LEGEND = 10;
  private static final int HEADINGS = 3;

  /**
   * The visible part of a list.
   *
   * @param first index of the first visible line, from 0
   * @param shown number of visible lines
   * @param more whether a line below them shows the total number
   */
  record VisibleRange(int first, int shown, boolean more) {

    private static VisibleRange of(int first, int all, int there, int rows) {
      if (there <= rows && all == there) {
        return new VisibleRange(0, there, false);
      }
      int shown = Math.max(0, Math.min(there, rows - 1));
      return new VisibleRange(Math.max(0, Math.min(first, there - shown)), shown, rows > 0);
    }

    int rows() {
      return shown + (more ? 1 : 0);
    }
  }

  /**
   * Divides the rows: GPUs get the rows that they need, except for up to a third that jobs need.
   *
   * @param rows of the terminal
   * @param gpus number of GPUs
   * @param there number of jobs in the picture
   * @param jobs number of jobs of the server
   */
  static TopLayout of(int rows, int gpus, int there, int jobs, ScrollPosition scroll) {
    boolean legend = rows >= ROWS_WITH_LEGEND;
    int room = Math.max(0, rows - HEADINGS - (legend ? 1 : 0));
    int wantedByJobs = Math.max(1, there + (jobs > there ? 1 : 0));
    int kept = Math.min(wantedByJobs, room / HEADINGS);
    int forGpus = Math.min(Math.max(1, gpus), room - kept);
    return new TopLayout(
        VisibleRange.of(scroll.gpus(), gpus, gpus, forGpus),
        VisibleRange.of(scroll.jobs(), jobs, there, room - forGpus),
        legend);
  }
}
