package io.remuda.coordinator.cli.top;

/**
 * The scroll positions of the lists.
 *
 * @param gpus number of GPUs above the first visible one
 * @param jobs number of jobs above the first visible one
 * @param ofJobs whether keys scroll the jobs
 */
record ScrollPosition(int gpus, int jobs, boolean ofJobs) {

  static final ScrollPosition TOP = new ScrollPosition(0, 0, false);

  /** Returns the position after a key; if it is too far down, the next layout corrects it. */
  ScrollPosition after(TopKey key, TopLayout layout) {
    TopLayout.VisibleRange part = ofJobs ? layout.jobs() : layout.gpus();
    int page = Math.max(1, part.shown());
    return switch (key) {
      case UP -> to(part.first() - 1, layout);
      case DOWN -> to(part.first() + 1, layout);
      case PAGE_UP -> to(part.first() - page, layout);
      case PAGE_DOWN -> to(part.first() + page, layout);
      case HOME -> to(0, layout);
      case END -> to(Integer.MAX_VALUE, layout);
      case TAB -> new ScrollPosition(layout.gpus().first(), layout.jobs().first(), !ofJobs);
      default -> this;
    };
  }

  private ScrollPosition to(int first, TopLayout layout) {
    int from = Math.max(0, first);
    return ofJobs
        ? new ScrollPosition(layout.gpus().first(), from, true)
        : new ScrollPosition(from, layout.jobs().first(), false);
  }
}
