package io.remuda.agent.keeper;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The agent's side of the socket to its keeper. Any thread, and nobody waits but for {@link
 * #spawn(SpawnRequest)}, {@link #adopt(AdoptRequest)} and {@link #list()}, which must not be called
 * on the listener's thread. What the keeper answers and tells comes in its order, on one thread.
 *
 * <p>A keeper that owes answers and gives none for the timeout is looked at. One that is gone has
 * ended the connection, by {@link KeeperGone}; one that was stopped is given up, by {@link
 * KeeperUnresponsive}, for it can end no task. One that lives is waited for: a machine or a disk
 * that stands still is no reason to end its tasks. Only if one of them is to be ended it is given
 * up after {@link #KILL_PATIENCE} timeouts.
 *
 * <p>A spawn that the keeper comes to read too late is not started: it carries its own expiry. It
 * may still have been started just in time, which {@link #list()} tells.
 */
public final class KeeperClient implements Closeable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

  /** A spawn expires so long before a keeper that says nothing is given up. */
  private static final long EXPIRY_MARGIN_MILLIS = 300;

  private static final int KEYS_AT_ONCE = 1000;

  /** So many starts are asked for without an answer: a keeper that is slow is not flooded. */
  private static final int MOST_OPEN = 64;

  /** Nor more bytes of them; a single one may be larger. */
  private static final int MOST_OPEN_BYTES = 1 << 20;

  /**
   * An answer is waited for in so many parts. A pause of this whole process is no silence of the
   * keeper: it counts as one part at most.
   */
  private static final int PARTS = 10;

  /** So many timeouts a keeper that lives may take to answer that it ends a task. */
  private static final int KILL_PATIENCE = 10;

  private final long timeoutMillis;
  private final Supplier<KeeperProcess.State> keeper;
  private final BootClock clock = BootClock.system();
  private final KeeperConnection connection;
  private final Map<Integer, Call> calls = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private final Set<CompletableFuture<?>> waiters = ConcurrentHashMap.newKeySet();
  private final Deque<Start> later = new ArrayDeque<>();
  private int openStarts;
  private int openBytes;
  private volatile Throwable closedBy;

  /** A start that is to be asked for. */
  private record Start(SpawnRequest request, long expiresAt, Consumer<SpawnAnswer> told) {
    void notBegun(String why) {
      told.accept(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, why));
    }
  }

  /** What the keeper tells unasked; called on the reading thread. */
  public interface Listener {
    /**
     * A keeper that lives owes answers and has said nothing for so many ms; told again and again
     * until it speaks, which is 0.
     */
    default void silent(long millis) {}

    /**
     * The task's tree is gone and its exit record written. Told only to the newest client, and
     * maybe again by {@link KeeperClient#list}.
     */
    void exited(TaskView task);

    /** The last call, once, also after {@link KeeperClient#close}. */
    void disconnected(Throwable cause);
  }

  /** The keeper is of another version, so that nothing can be said to it. */
  public static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  /** A request under way; the answer to a list may come in several frames. */
  private static final class Call {
    private final Consumer<FrameReader> told;
    private final List<TaskView> tasks = new ArrayList<>();

    /** Its turn comes when it comes. */
    private boolean queued;

    /** Whether a task is to be ended by it. */
    private boolean ends;

    /** Bytes that it counts as among the open starts, 0 if it does not or no longer. */
    private int open;

    Call(Consumer<FrameReader> told) {
      this.told = told;
    }
  }

  private KeeperClient(
      SocketChannel channel,
      Listener listener,
      Duration timeout,
      Supplier<KeeperProcess.State> keeper)
      throws IOException {
    timeoutMillis = timeout.toMillis();
    this.keeper = keeper;
    connection = new KeeperConnection(channel, new Receiver(listener));
  }

  public static KeeperClient connect(Path socket, Listener listener) throws IOException {
    return connect(socket, listener, DEFAULT_TIMEOUT);
  }

  /** One whose silence means that it is stopped. */
  public static KeeperClient connect(Path socket, Listener listener, Duration timeout)
      throws IOException {
    return connect(socket, listener, timeout, () -> KeeperProcess.State.STOPPED);
  }

  /**
   * Connects and says hello.
   *
   * @param keeper what has become of its process
   * @throws IOException if nobody listens there, if the keeper is of another version or if it says
   *     nothing
   */
  public static KeeperClient connect(
      Path socket, Listener listener, Supplier<KeeperProcess.State> keeper) throws IOException {
    return connect(socket, listener, DEFAULT_TIMEOUT, keeper);
  }

  static KeeperClient connect(
      Path socket, Listener listener, Duration timeout, Supplier<KeeperProcess.State> keeper)
      throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    KeeperClient client;
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      client = new KeeperClient(channel, listener, timeout, keeper);
    } catch (IOException | RuntimeException refused) {
      channel.close();
      throw refused;
    }
    client.connection.start("keeper", Math.max(1, client.timeoutMillis / PARTS));
    try {
      client.hello();
      return client;
    } catch (KeeperFailure failure) {
      client.close();
      throw new IOException(failure.getMessage(), failure);
    } catch (IOException refused) {
      client.close();
      throw refused;
    }
  }

  private void hello() throws IOException {
    FrameWriter frame = request(KeeperProtocol.HELLO);
    frame.number(KeeperProtocol.MAGIC).number(KeeperProtocol.VERSION);
    FrameReader answer;
    try {
      answer = await(told -> send(frame, new Call(told)), 2 * timeoutMillis);
    } catch (TimeoutException silent) {
      throw new IOException("the keeper says nothing", silent);
    }
    if (answer.kind() == KeeperProtocol.ERROR) {
      throw new Refused(answer.text());
    }
  }

  /**
   * Starts a task, or says why not; a key known already starts nothing. One whose slot is taken
   * starts when that is free.
   *
   * @param told takes the answer, mostly on the reading thread, and must not wait; never if the
   *     connection ends when the keeper has been asked
   * @throws KeeperGone if it has ended
   */
  public void spawn(SpawnRequest request, Consumer<SpawnAnswer> told) {
    long patience = Math.max(timeoutMillis - EXPIRY_MARGIN_MILLIS, timeoutMillis / 2);
    synchronized (later) {
      if (closedBy != null) {
        throw new KeeperGone(closedBy);
      }
      later.add(new Start(request, clock.millis() + patience, told));
      askForMore();
    }
  }

  private void askForMore() {
    while (!later.isEmpty() && (openStarts == 0 || hasRoomForStart())) {
      Start next = later.remove();
      if (clock.millis() > next.expiresAt()) {
        next.notBegun("the keeper was busy for too long");
        continue;
      }
      FrameWriter words =
          request(KeeperProtocol.SPAWN).number(next.expiresAt()).request(next.request());
      byte[] frame;
      try {
        frame = words.frame();
      } catch (IllegalArgumentException tooLong) {
        next.told().accept(new SpawnAnswer.Refused(RefusalCode.INVALID, tooLong.getMessage()));
        continue;
      }
      Call call = new Call(answer -> next.told().accept(answer(answer)));
      call.open = frame.length;
      openStarts++;
      openBytes += frame.length;
      send(words.id(), frame, call);
    }
  }

  private boolean hasRoomForStart() {
    return openStarts < MOST_OPEN && openBytes < MOST_OPEN_BYTES;
  }

  /** A start has its first answer. */
  private void heardOfStart(Call call) {
    if (call.open > 0) {
      synchronized (later) {
        openStarts--;
        openBytes -= call.open;
        call.open = 0;
        askForMore();
      }
    }
  }

  /** The same, and waits for the answer. */
  public SpawnAnswer spawn(SpawnRequest request) {
    return await(told -> spawn(request, told));
  }

  /**
   * A request that waits for its slot is not to be started any more; it is refused then. Without
   * effect on one that has begun. An unknown key is no error.
   */
  public void withdraw(String key) {
    synchronized (later) {
      for (Start start : List.copyOf(later)) {
        if (start.request().key().equals(key)) {
          later.remove(start);
          start.notBegun("withdrawn");
        }
      }
    }
    say(request(KeeperProtocol.WITHDRAW).text(key));
  }

  /**
   * Watches a program that runs already, or says why not; a key known already changes nothing.
   *
   * @param told as for {@link #spawn(SpawnRequest, Consumer)}
   */
  public void adopt(AdoptRequest request, Consumer<SpawnAnswer> told) {
    ask(request(KeeperProtocol.ADOPT).request(request), told);
  }

  /** The same, and waits for the answer. */
  public SpawnAnswer adopt(AdoptRequest request) {
    return await(told -> adopt(request, told));
  }

  private void ask(FrameWriter request, Consumer<SpawnAnswer> told) {
    send(request, new Call(frame -> told.accept(answer(frame))));
  }

  private static SpawnAnswer answer(FrameReader answer) {
    return switch (answer.kind()) {
      case KeeperProtocol.STARTED ->
          new SpawnAnswer.Started(answer.longNumber(), answer.longNumber());
      case KeeperProtocol.KNOWN -> new SpawnAnswer.Known(answer.view());
      case KeeperProtocol.REFUSED ->
          new SpawnAnswer.Refused(RefusalCode.valueOf(answer.text()), answer.text());
      default -> throw new FrameReader.Malformed("answer of kind " + answer.kind());
    };
  }

  /** A program that was adopted gives its devices back. An unknown key is no error. */
  public void release(String key) {
    say(request(KeeperProtocol.RELEASE).text(key));
  }

  /** Ends a task: SIGTERM to its tree, after the grace SIGKILL. An unknown key is no error. */
  public void kill(String key, long graceMillis) {
    FrameWriter request = request(KeeperProtocol.KILL).text(key).number(graceMillis);
    Call call = new Call(done -> {});
    call.ends = true;
    send(request, call);
  }

  /**
   * All tasks that live or have ended and are not forgotten, in the order of their start.
   *
   * @param told as for {@link #spawn(SpawnRequest, Consumer)}
   */
  public void list(Consumer<List<TaskView>> told) {
    Call[] call = new Call[1];
    call[0] = new Call(last -> told.accept(call[0].tasks));
    send(request(KeeperProtocol.LIST), call[0]);
  }

  /** The same, and waits for the answer. */
  public List<TaskView> list() {
    return await(this::list);
  }

  /** Prolongs leases to so long from now; 0 takes the lease away. Unknown keys are no error. */
  public void renew(Collection<String> keys, long contactMillis) {
    inParts(keys, some -> say(request(KeeperProtocol.RENEW).texts(some).number(contactMillis)));
  }

  /** Drops ended tasks whose exits were learned; live ones stay. */
  public void forget(Collection<String> keys) {
    inParts(keys, some -> say(request(KeeperProtocol.FORGET).texts(some)));
  }

  private static void inParts(Collection<String> keys, Consumer<List<String>> part) {
    List<String> all = List.copyOf(keys);
    for (int i = 0; i < all.size(); i += KEYS_AT_ONCE) {
      part.accept(all.subList(i, Math.min(all.size(), i + KEYS_AT_ONCE)));
    }
  }

  /** Has the keeper end all tasks and then itself. */
  public void shutdown(long graceMillis) {
    say(request(KeeperProtocol.SHUTDOWN).number(graceMillis));
  }

  /** The tasks run on. */
  @Override
  public void close() {
    connection.close(new IOException("closed by this side"));
  }

  private FrameWriter request(byte kind) {
    return new FrameWriter(kind, lastId.incrementAndGet());
  }

  /** Nobody waits for the answer, but one must come. */
  private void say(FrameWriter request) {
    send(request, new Call(done -> {}));
  }

  private void send(FrameWriter request, Call call) {
    send(request.id(), request.frame(), call);
  }

  private void send(int id, byte[] frame, Call call) {
    calls.put(id, call);
    if (closedBy != null) {
      calls.remove(id);
      throw new KeeperGone(closedBy);
    }
    connection.send(frame);
  }

  /** Asks and waits for what it is told. */
  private <T> T await(Consumer<Consumer<T>> ask) {
    try {
      return await(ask, Long.MAX_VALUE);
    } catch (TimeoutException endless) {
      throw new IllegalStateException(endless);
    }
  }

  private <T> T await(Consumer<Consumer<T>> ask, long millis) throws TimeoutException {
    CompletableFuture<T> answer = new CompletableFuture<>();
    waiters.add(answer);
    try {
      ask.accept(answer::complete);
      return answer.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException ended) {
      throw ended.getCause() instanceof KeeperUnresponsive silent
          ? new KeeperUnresponsive(silent.getMessage())
          : new KeeperGone(ended.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KeeperUnresponsive("interrupted while waiting for the keeper");
    } finally {
      waiters.remove(answer);
    }
  }

  private final class Receiver implements KeeperConnection.Handler {
    private final Listener listener;

    /** Parts of the timeout in which answers were owed and none came. */
    private int silentParts;

    Receiver(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void frame(byte[] bytes) {
      FrameReader frame = new FrameReader(bytes);
      if (frame.kind() == KeeperProtocol.EXITED) {
        listener.exited(frame.view());
        return;
      }
      Call call = calls.get(frame.id());
      if (call == null) {
        throw new FrameReader.Malformed("an answer to no request");
      }
      heard();
      heardOfStart(call);
      if (frame.kind() == KeeperProtocol.QUEUED) {
        call.queued = true;
      } else if (frame.kind() != KeeperProtocol.TASKS || lastOfList(frame, call)) {
        calls.remove(frame.id());
        call.told.accept(frame);
      }
    }

    private boolean lastOfList(FrameReader frame, Call call) {
      int count = frame.number();
      for (int i = 0; i < count; i++) {
        call.tasks.add(frame.view());
      }
      return !frame.flag();
    }

    @Override
    public void tick() {
      boolean owes = calls.values().stream().anyMatch(call -> !call.queued);
      silentParts = owes ? silentParts + 1 : 0;
      if (silentParts > PARTS) {
        look();
      }
    }

    private void look() {
      long millis = silentParts * (timeoutMillis / PARTS);
      KeeperProcess.State state = keeper.get();
      boolean mustEnd = calls.values().stream().anyMatch(call -> call.ends);
      if (state == KeeperProcess.State.GONE) {
        connection.close(new IOException("the keeper has ended"));
      } else if (state == KeeperProcess.State.STOPPED) {
        connection.close(
            new KeeperUnresponsive("the keeper has not answered for " + timeoutMillis + " ms"));
      } else if (mustEnd && silentParts > KILL_PATIENCE * PARTS) {
        connection.close(
            new KeeperUnresponsive(
                "the keeper was to end a task and has not for " + millis + " ms"));
      } else {
        listener.silent(millis);
      }
    }

    private void heard() {
      if (silentParts > PARTS) {
        listener.silent(0);
      }
      silentParts = 0;
    }

    @Override
    public void closed(Throwable cause) {
      synchronized (later) {
        closedBy = cause;
        later.forEach(start -> start.notBegun("the keeper is gone"));
        later.clear();
      }
      calls.clear();
      waiters.forEach(answer -> answer.completeExceptionally(cause));
      listener.disconnected(cause);
    }
  }
}
