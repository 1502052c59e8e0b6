package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.AdoptRequest;
import io.remuda.agent.keeper.KeeperFailure;
import io.remuda.agent.keeper.KeeperGone;
import io.remuda.agent.keeper.KeeperUnresponsive;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperProcess;
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
 * The agent's side of the socket to its keeper. Any thread. Only {@link #spawn(SpawnRequest)},
 * {@link #adopt(AdoptRequest)} and {@link #list()} block; they must not be called on the listener's
 * thread. The keeper's answers and events arrive in its order, on one thread.
 *
 * <p>If the keeper owes answers and sends nothing for the timeout, its process is checked. If it is
 * gone, the connection ends, see {@link KeeperGone}. If it is stopped, the connection is closed
 * with {@link KeeperUnresponsive}, since a stopped keeper can end no task. If it runs, the client
 * keeps waiting: a machine or a disk that hangs is no reason to end its tasks. Only if a kill is
 * unanswered is the connection closed, after {@link #KILL_PATIENCE} timeouts.
 *
 * <p>A start request carries its own expiry: a keeper that reads it later does not start the task.
 * The task may have started just in time, which {@link #list()} shows.
 */
public final class KeeperClient implements Closeable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

  /** How long before the timeout a start request expires. */
  private static final long EXPIRY_MARGIN_MILLIS = 300;

  private static final int KEYS_AT_ONCE = 1000;

  /** Limit of requested starts without an answer, so that a slow keeper is not flooded. */
  private static final int MOST_OPEN = 64;

  /** Limit of their bytes; a single one may be larger. */
  private static final int MOST_OPEN_BYTES = 1 << 20;

  /**
   * The timeout has this number of ticks. A pause of this whole process counts as one tick at most,
   * so that it does not count as silence of the keeper.
   */
  private static final int PARTS = 10;

  /** Timeouts that a running keeper may take to answer a kill. */
  private static final int KILL_PATIENCE = 10;

  private final long timeoutMillis;
  private final Supplier<KeeperProcess.State> keeper;
  private final BootClock clock = BootClock.system();
  private final KeeperConnection connection;

  /** What the keeper has of this connection; guarded by {@link #later}. */
  private final TemplateNumbers templates = new TemplateNumbers();

  private int lastTemplate;
  private final Map<Integer, Call> calls = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private final Set<CompletableFuture<?>> waiters = ConcurrentHashMap.newKeySet();
  private final Deque<Start> later = new ArrayDeque<>();
  private int openStarts;
  private int openBytes;
  private volatile Throwable closedBy;

  /** A start request that is not sent yet. */
  private record Start(SpawnRequest request, long expiresAt, Consumer<SpawnAnswer> told) {
    void notBegun(String why) {
      told.accept(new SpawnAnswer.Refused(RefusalCode.NOT_BEGUN, why));
    }
  }

  /** Handles events of the keeper; called on the reading thread. */
  public interface Listener {
    /**
     * Called repeatedly while a running keeper owes answers and sends none, with the duration in
     * ms; called with 0 when it answers again.
     */
    default void silent(long millis) {}

    /**
     * Called when the task's tree is gone and its exit record is written. Only the newest client is
     * notified. {@link KeeperClient#list} may report the task again.
     */
    void exited(TaskView task);

    /** Called once, as the last call; also after {@link KeeperClient#close}. */
    void disconnected(Throwable cause);
  }

  /** The keeper has another protocol version. */
  public static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  /** A request without its complete answer; the answer to a list may come in several frames. */
  private static final class Call {
    private final Consumer<FrameReader> told;
    private final List<TaskView> tasks = new ArrayList<>();

    /** Whether the keeper has queued it, so that the answer may take any time. */
    private boolean queued;

    /** Whether it is a kill. */
    private boolean ends;

    /** Bytes that it adds to the open starts; 0 if it is none or has an answer. */
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

  /** Connects to a keeper that is treated as stopped if it is silent for the timeout. */
  public static KeeperClient connect(Path socket, Listener listener, Duration timeout)
      throws IOException {
    return connect(socket, listener, timeout, () -> KeeperProcess.State.STOPPED);
  }

  /**
   * Connects and sends the hello.
   *
   * @param keeper returns the state of its process
   * @throws IOException if no keeper listens, if it has another version or if it does not answer
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
      throw new IOException("the keeper does not answer the hello", silent);
    }
    if (answer.kind() == KeeperProtocol.ERROR) {
      throw new Refused(answer.text());
    }
  }

  /**
   * Starts a task. A key that is known already starts nothing. If the slot is taken, the task
   * starts when the slot is free.
   *
   * @param told called with the answer, mostly on the reading thread; must not block. Not called if
   *     the connection ends after the request was sent
   * @throws KeeperGone if the connection has ended
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
      FrameWriter words;
      byte[] frame;
      try {
        words =
            request(KeeperProtocol.SPAWN)
                .number(next.expiresAt())
                .request(next.request(), templateOf(next.request()));
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

  /** Returns the number of the request's template, which is sent first if the keeper lacks it. */
  private int templateOf(SpawnRequest request) {
    int known = templates.numberOf(request.template());
    if (known != 0) {
      return known;
    }
    int number = ++lastTemplate;
    FrameWriter words =
        request(KeeperProtocol.TEMPLATE).number(number).template(request.template());
    say(words);
    templates.add(number, request.template());
    return number;
  }

  private boolean hasRoomForStart() {
    return openStarts < MOST_OPEN && openBytes < MOST_OPEN_BYTES;
  }

  /** Frees a start's share of the limits at its first answer, and sends further starts. */
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

  /** Starts a task and waits for the answer. */
  public SpawnAnswer spawn(SpawnRequest request) {
    return await(told -> spawn(request, told));
  }

  /**
   * Withdraws a start that waits for its slot; it is refused then. Has no effect on a task that has
   * begun or on an unknown key.
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
   * Watches a running program. A key that is known already changes nothing.
   *
   * @param told as for {@link #spawn(SpawnRequest, Consumer)}
   */
  public void adopt(AdoptRequest request, Consumer<SpawnAnswer> told) {
    ask(request(KeeperProtocol.ADOPT).request(request), told);
  }

  /** Watches a running program and waits for the answer. */
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

  /** Frees the devices of an adopted program. Ignores an unknown key. */
  public void release(String key) {
    say(request(KeeperProtocol.RELEASE).text(key));
  }

  /** Ends a task: SIGTERM to its tree, SIGKILL after the grace. Ignores an unknown key. */
  public void kill(String key, long graceMillis) {
    FrameWriter request = request(KeeperProtocol.KILL).text(key).number(graceMillis);
    Call call = new Call(done -> {});
    call.ends = true;
    send(request, call);
  }

  /**
   * Requests all tasks that live or have ended and are not forgotten, in the order of their start.
   *
   * @param told as for {@link #spawn(SpawnRequest, Consumer)}
   */
  public void list(Consumer<List<TaskView>> told) {
    Call[] call = new Call[1];
    call[0] = new Call(last -> told.accept(call[0].tasks));
    send(request(KeeperProtocol.LIST), call[0]);
  }

  /** Returns the tasks as {@link #list(Consumer)} does, and waits for the answer. */
  public List<TaskView> list() {
    return await(this::list);
  }

  /** Sets contact deadlines to this long from now; 0 removes them. Ignores unknown keys. */
  public void renew(Collection<String> keys, long contactMillis) {
    inParts(keys, some -> say(request(KeeperProtocol.RENEW).texts(some).number(contactMillis)));
  }

  /** Drops ended tasks whose exits the agent has learned; live ones stay. */
  public void forget(Collection<String> keys) {
    inParts(keys, some -> say(request(KeeperProtocol.FORGET).texts(some)));
  }

  private static void inParts(Collection<String> keys, Consumer<List<String>> part) {
    List<String> all = List.copyOf(keys);
    for (int i = 0; i < all.size(); i += KEYS_AT_ONCE) {
      part.accept(all.subList(i, Math.min(all.size(), i + KEYS_AT_ONCE)));
    }
  }

  /** Tells the keeper to end all tasks and then itself. */
  public void shutdown(long graceMillis) {
    say(request(KeeperProtocol.SHUTDOWN).number(graceMillis));
  }

  /** Closes the connection; the tasks continue. */
  @Override
  public void close() {
    connection.close(new IOException("closed by this side"));
  }

  private FrameWriter request(byte kind) {
    return new FrameWriter(kind, lastId.incrementAndGet());
  }

  /** Sends a request and ignores its answer; a missing answer still counts as silence. */
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

  /** Sends a request and waits for its answer. */
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

    /** Ticks in which answers were owed and none came. */
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
            new KeeperUnresponsive("the keeper has not answered a kill for " + millis + " ms"));
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
