package io.remuda.coordinator.testkit.scripted;

import com.typesafe.config.Config;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.LightArrayRevolverScheduler;
import org.apache.pekko.event.LoggingAdapter;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * The scheduler of an actor system whose rules go by a {@link MovedTime}. What the code of Remuda
 * starts goes by that; what Pekko starts by itself, for its cluster, streams, HTTP and questions
 * between actors, goes by the machine's time, and so do short waits, which only put things
 * together, and what is about connections. The silence of a connection between server and agent is
 * never noticed: while time stands still, nobody says anything.
 */
public final class MovedScheduler extends LightArrayRevolverScheduler {

  /** Setting with the name of the time. */
  public static final String NAME = "remuda-test.moved-time";

  private static final long SHORT_NANOS = 300_000_000;
  private static final String OURS = "io.remuda.";

  /** Packages that are about connections. */
  private static final List<String> REAL =
      List.of(
          "io.remuda.coordinator.rest.",
          "io.remuda.coordinator.cluster.",
          "io.remuda.coordinator.notice.",
          "io.remuda.agent.channel.");

  /** The stage of a stream that ends it for silence; that of HTTP is another one. */
  private static final String SILENCE = "org.apache.pekko.stream.impl.Timers$Idle$";

  private static final StackWalker STACK = StackWalker.getInstance();

  private final MovedTime time;

  /** Called by the actor system. */
  public MovedScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
    super(config, log, threads);
    time = MovedTime.named(config.getString(NAME));
  }

  private static boolean isMoved(FiniteDuration wait) {
    return wait.toNanos() > SHORT_NANOS
        && STACK.walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .filter(type -> type.startsWith(OURS) || type.contains(".AskPattern"))
                    .filter(type -> !type.startsWith("io.remuda.coordinator.testkit."))
                    .findFirst()
                    .filter(
                        type -> type.startsWith(OURS) && REAL.stream().noneMatch(type::startsWith))
                    .isPresent());
  }

  private static boolean isOfSilence() {
    return STACK.walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(SILENCE)));
  }

  private Cancellable moved(
      FiniteDuration delay, long period, Runnable work, ExecutionContext executor) {
    MovedTime.Cancel timer = time.schedule(delay.toNanos(), period, executor::execute, work);
    return new Cancellable() {
      @Override
      public boolean cancel() {
        return timer.cancel();
      }

      @Override
      public boolean isCancelled() {
        return timer.isCancelled();
      }
    };
  }

  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable work, ExecutionContext executor) {
    return isMoved(delay)
        ? moved(delay, 0, work, executor)
        : super.scheduleOnce(delay, work, executor);
  }

  @Override
  public Cancellable scheduleWithFixedDelay(
      FiniteDuration initial, FiniteDuration delay, Runnable work, ExecutionContext executor) {
    if (isOfSilence()) {
      return Cancellable.alreadyCancelled();
    }
    return isMoved(delay)
        ? moved(initial, delay.toNanos(), work, executor)
        : super.scheduleWithFixedDelay(initial, delay, work, executor);
  }

  @Override
  public Cancellable schedule(
      FiniteDuration initial, FiniteDuration period, Runnable work, ExecutionContext executor) {
    return isMoved(period)
        ? moved(initial, period.toNanos(), work, executor)
        : super.schedule(initial, period, work, executor);
  }
}
