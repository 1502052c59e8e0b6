package io.remuda.coordinator.console;

import io.remuda.telemetry.model.NodeSample;

/** Is told all that a console gets, in its callers' threads, also what it leaves out. */
public interface ConsoleWatcher {

  /** Telemetry. */
  void sampled(NodeSample sample);

  /** A line of the run, progress or a warning. */
  void said(String line);

  /** A result. */
  void result(String line);

  /** Is told nothing. */
  ConsoleWatcher NONE =
      new ConsoleWatcher() {
        @Override
        public void sampled(NodeSample sample) {
          // nobody watches
        }

        @Override
        public void said(String line) {
          // nobody watches
        }

        @Override
        public void result(String line) {
          // nobody watches
        }
      };
}
