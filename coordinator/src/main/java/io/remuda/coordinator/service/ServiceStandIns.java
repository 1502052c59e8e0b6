package io.remuda.coordinator.service;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * What a service may be given in place of the usual parts, as an agent is given {@link
 * io.remuda.agent.main.AgentStandIns}.
 *
 * @param clock wall clock for recorded times
 * @param nanoClock monotonic, for the rules of scheduling, contact and retention
 * @param config of its actor system, before all others
 */
public record ServiceStandIns(Clock clock, LongSupplier nanoClock, Config config) {

  /** No stand-ins: time is the machine's. */
  public static final ServiceStandIns NONE =
      new ServiceStandIns(Clock.systemUTC(), System::nanoTime, ConfigFactory.empty());
}
