package io.remuda.coordinator.console;

import io.remuda.telemetry.render.Bar;
import java.util.List;

/** Something that is shown as bars, folded where there are fewer lines than bars. */
public interface BarSource {

  /** Nothing to show. */
  BarSource NONE = lines -> List.of();

  /**
   * The bars.
   *
   * @param lines that they may take, at least 1
   */
  List<Bar> within(int lines);
}
