package io.remuda.coordinator.cli.top;

/**
 * Which GPUs and jobs are on a screen.
 *
 * @param legend whether there is room for a line that names the keys
 */
record TopLayout(VisibleRange gpus, VisibleRange jobs, boolean legend) {

  private static final int ROWS_WITH_LEGEND = 10;
  private static final int HEADINGS = 3;

  /**
   * Some lines of a list.
   *
   * @param first of those shown, from 0
   * @param shown how many
   * @param more whether a line behind them says how many there are
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
   * Shares the rows out: GPUs get what they need but for a third, which is for jobs if those need
   * it.
   *
   * @param rows of the terminal
   * @param gpus how many there are
   * @param there jobs that are known
   * @param jobs how many there are
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
