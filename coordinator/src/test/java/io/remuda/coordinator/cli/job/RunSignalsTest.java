package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.ProcessControl;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Signals that come while the job is submitted. */
class RunSignalsTest {
  private ProcessControl.SignalHandler handler;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final StringWriter said = new StringWriter();

  private RunSignals signals() {
    ProcessControl process =
        (ProcessControl)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ProcessControl.class},
                (self, method, arguments) -> {
                  assertEquals("onSignals", method.getName());
                  handler = (ProcessControl.SignalHandler) arguments[1];
                  return null;
                });
    return RunSignals.watch(
        process,
        () -> {
          asked.countDown();
          throw new IllegalStateException("no server here");
        },
        new PrintWriter(said));
  }

  @Test
  void one_before_the_number_is_known_cancels_the_job_once_it_is() throws Exception {
    RunSignals signals = signals();
    handler.onSignal("INT", 2);
    assertEquals(1, asked.getCount(), "which job?");
    assertTrue(said.toString().contains("as soon as the server tells its number"), said::toString);
    signals.submitted("7");
    assertTrue(asked.await(60, TimeUnit.SECONDS));
  }

  @Test
  void without_one_the_job_is_left_alone() {
    signals().submitted("7");
    assertEquals(1, asked.getCount());
    assertEquals("", said.toString());
  }
}
