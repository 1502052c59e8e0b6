package io.remuda.coordinator.console;

import io.remuda.telemetry.render.LabelledBar;
import java.util.List;

/** A source of bars, folded if there are fewer lines than bars. */
public interface BarSource {

  /** A source without bars. */
  BarSource NONE = lines -> List.of();

  /**
   * Returns the bars.
   *
   * @param lines maximum number of bars, at least 1
   */
  List<LabelledBar> within(int lines);
}
