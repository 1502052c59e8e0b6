package io.remuda.coordinator.rest.connection;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.apache.pekko.util.ByteString;

/** Receives a body: waits for capacity, and fails if the body arrives too slowly. */
public final class RequestBodyStage extends GraphStage<FlowShape<ByteString, ByteString>> {

  /** Thrown if a body arrives too slowly. */
  public static final class TooSlowException extends TimeoutException {
    private static final long serialVersionUID = 1;

    private TooSlowException(String message) {
      super(message);
    }
  }

  /** Thrown if there was no capacity for a body for too long. */
  public static final class NoRoomException extends TimeoutException {
    private static final long serialVersionUID = 1;
  }

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final long MOST_WAIT_NANOS = Duration.ofSeconds(20).toNanos();
  private static final String TIMER = "look";

  private final Inlet<ByteString> in = Inlet.create("in");
  private final Outlet<ByteString> out = Outlet.create("out");
  private final FlowShape<ByteString, ByteString> shape = FlowShape.of(in, out);
  private final BodyPace pace;
  private final Consumer<Runnable> room;
  private final BooleanSupplier whole;

  /**
   * @param room requests capacity, and runs its argument once there is some
   * @param whole called when the body is complete; returns false if the connection was closed
   */
  RequestBodyStage(BodyPace pace, Consumer<Runnable> room, BooleanSupplier whole) {
    this.pace = pace;
    this.room = room;
    this.whole = whole;
  }

  @Override
  public FlowShape<ByteString, ByteString> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends TimerGraphStageLogic {
    private long since = System.nanoTime();
    private boolean admitted;
    private boolean wanted;

    private Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              ByteString part = grab(in);
              pace.came(part.size(), System.nanoTime() - since);
              wanted = false;
              push(out, part);
            }

            @Override
            public void onUpstreamFinish() {
              if (whole.getAsBoolean()) {
                completeStage();
              } else {
                failStage(new java.io.IOException("closed for another connection"));
              }
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              wanted = true;
              if (admitted) {
                pullIn();
              }
            }
          });
    }

    private void pullIn() {
      since = System.nanoTime();
      pull(in);
    }

    @Override
    public void preStart() {
      scheduleAtFixedRate(TIMER, LOOK, LOOK);
      AsyncCallback<NotUsed> go = createAsyncCallback(this::admit);
      room.accept(() -> go.invoke(NotUsed.getInstance()));
    }

    private void admit(NotUsed nothing) {
      admitted = true;
      if (wanted && !isClosed(in) && !isClosed(out)) {
        pullIn();
      }
    }

    @Override
    public void onTimer(Object key) {
      long waited = System.nanoTime() - since;
      if (!admitted && waited > MOST_WAIT_NANOS) {
        giveUp(new NoRoomException());
      } else if (admitted && wanted && pace.isTooSlow(waited)) {
        giveUp(new TooSlowException(pace.toString()));
      }
    }

    /**
     * Fails the reader, and leaves the rest of the body unread until the connection ends, which it
     * does with the answer. To cancel it here would end the connection at once, and now and then
     * before the answer is written: the client would see a reset and no reason.
     */
    private void giveUp(Exception fault) {
      cancelTimer(TIMER);
      admitted = false;
      fail(out, fault);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              grab(in); // it was asked for before
            }
          });
    }
  }
}
