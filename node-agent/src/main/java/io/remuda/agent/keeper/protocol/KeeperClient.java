package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.KeeperGoneException;
import io.remuda.agent.keeper.KeeperLink;
import io.remuda.agent.keeper.KeeperUnresponsiveException;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.UnansweredKeeperCallException;
import io.remuda.agent.keeper.proc.BootClock;
import io.remuda.agent.keeper.proc.KeeperProcessHandle.State;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
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
 * {@link #adopt(DeviceHoldRequest)} and {@link #list()} block; they must not be called on the
 * listener's thread. The keeper's answers and events arrive in its order, on one thread.
 *
 * <p>If the keeper owes answers and sends nothing for the timeout, its process is checked. If it is
 * gone, the connection ends, see {@link KeeperGoneException}. Else the client keeps waiting: a disk
 * that hangs is no reason to end tasks, nor is a slip of a person. It closes the connection with
 * {@link KeeperUnresponsiveException} if a kill is unanswered after {@link
 * KeeperSilenceDetector#KILL_PATIENCE} timeouts, or if the keeper is stopped and either {@link
 * KeeperSilenceDetector#STOPPED_PATIENCE} timeouts have passed or the contact deadline of a task
 * has, which a stopped keeper cannot watch.
 *
 * <p>A start request carries its own expiry: a keeper that reads it later does not start the task.
 * The task may have started just in time, which {@link #list()} shows.
 */
public final class KeeperClient implements KeeperLink {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

  /** How long before the timeout a start request expires. */
  private static final long EXPIRY_MARGIN_MILLIS = 300;

  private static final int KEYS_AT_ONCE = 1000;

  private final long timeoutMillis;
  private final Supplier<State> keeper;
  private final KeeperConnection connection;

  private final Map<Integer, PendingKeeperCall> calls = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private final Set<CompletableFuture<?>> waiters = ConcurrentHashMap.newKeySet();
  private final BootClock clock = BootClock.system();
  private final SentLeases leases = new SentLeases();
  private final KeeperStartThrottle starts = new KeeperStartThrottle(clock, new Way());
  private final KeeperSilenceDetector silence;
  private volatile Throwable closedBy;

  /** What the keeper knows, see {@link KeeperProtocol#LEVEL}. */
  private volatile int level;

  /** The keeper has another protocol version. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  private KeeperClient(
      SocketChannel channel, Listener listener, Duration timeout, Supplier<State> keeper)
      throws IOException {
    timeoutMillis = timeout.toMillis();
    this.keeper = keeper;
    this.silence = new KeeperSilenceDetector(timeoutMillis);
    connection = new KeeperConnection(channel, new Receiver(listener));
  }

  public static KeeperClient connect(Path socket, Listener listener) throws IOException {
    return connect(socket, listener, DEFAULT_TIMEOUT);
  }

  /** Connects to a keeper that is treated as stopped if it is silent for the timeout. */
  public static KeeperClient connect(Path socket, Listener listener, Duration timeout)
      throws IOException {
    return connect(socket, listener, timeout, () -> State.STOPPED);
  }

  /**
   * Connects and sends the hello.
   *
   * @param keeper returns the state of its process
   * @throws IOException if no keeper listens, if it has another version or if it does not answer
   */
  public static KeeperClient connect(Path socket, Listener listener, Supplier<State> keeper)
      throws IOException {
    return connect(socket, listener, DEFAULT_TIMEOUT, keeper);
  }

  static KeeperClient connect(
      Path socket, Listener listener, Duration timeout, Supplier<State> keeper) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    KeeperClient client;
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      client = new KeeperClient(channel, listener, timeout, keeper);
    } catch (IOException | RuntimeException refused) {
      channel.close();
      throw refused;
    }
    client.connection.start("keeper", client.silence.tickMillis());
    try {
      client.hello();
      return client;
    } catch (UnansweredKeeperCallException failure) {
      client.close();
      throw new IOException(failure.getMessage(), failure);
    } catch (IOException refused) {
      client.close();
      throw refused;
    }
  }

  private void hello() throws IOException {
    KeeperFrameEncoder frame = request(KeeperProtocol.HELLO);
    frame.number(KeeperProtocol.MAGIC).number(KeeperProtocol.VERSION);
    KeeperFrameDecoder answer;
    try {
      answer = await(told -> send(frame, PendingKeeperCall.of(told)), 2 * timeoutMillis);
    } catch (TimeoutException silent) {
      throw new IOException("the keeper does not answer the hello", silent);
    }
    if (answer.kind() == KeeperProtocol.ERROR) {
      throw new RefusedException(answer.text());
    }
    answer.number();
    level = answer.numberIfThere();
  }

  @Override
  public void spawn(SpawnRequest request, Consumer<SpawnAnswer> told) {
    long patience = Math.max(timeoutMillis - EXPIRY_MARGIN_MILLIS, timeoutMillis / 2);
    leases.renewed(List.of(request.key()), request.contactMillis(), clock.millis() + patience);
    starts.add(request, patience, told);
  }

  @Override
  public void together(Runnable requests) {
    connection.together(requests);
  }

  /** Starts a task and waits for the answer. */
  public SpawnAnswer spawn(SpawnRequest request) {
    return await(told -> spawn(request, told));
  }

  @Override
  public void withdraw(String key) {
    starts.withdraw(key);
    say(request(KeeperProtocol.WITHDRAW).text(key));
  }

  @Override
  public void adopt(DeviceHoldRequest request, Consumer<SpawnAnswer> told) {
    ask(request(KeeperProtocol.ADOPT).request(request), told);
  }

  /** Watches a running program and waits for the answer. */
  public SpawnAnswer adopt(DeviceHoldRequest request) {
    return await(told -> adopt(request, told));
  }

  private void ask(KeeperFrameEncoder request, Consumer<SpawnAnswer> told) {
    send(request, PendingKeeperCall.of(frame -> told.accept(frame.spawnAnswer())));
  }

  @Override
  public void release(String key) {
    say(request(KeeperProtocol.RELEASE).text(key));
  }

  @Override
  public void kill(String key, long graceMillis) {
    KeeperFrameEncoder request = request(KeeperProtocol.KILL).text(key).number(graceMillis);
    send(request, PendingKeeperCall.ofKill());
  }

  @Override
  public void end(String key, EndingSignal how, long graceMillis) {
    if (level < 1 && how.isTerm()) {
      kill(key, graceMillis);
      return;
    }
    KeeperFrameEncoder request =
        level < 1
            ? request(KeeperProtocol.LEAVE).text(key).number((long) how.number())
            : request(KeeperProtocol.END).text(key).number(how.number()).text(how.reach().name());
    send(request.number(graceMillis), PendingKeeperCall.ofKill());
  }

  @Override
  public void list(Consumer<List<TaskView>> told) {
    PendingKeeperCall[] call = new PendingKeeperCall[1];
    call[0] = PendingKeeperCall.of(last -> told.accept(call[0].tasks()));
    send(request(KeeperProtocol.LIST), call[0]);
  }

  /** Returns the tasks as {@link #list(Consumer)} does, and waits for the answer. */
  public List<TaskView> list() {
    return await(this::list);
  }

  @Override
  public void renew(Collection<String> keys, long contactMillis) {
    leases.renewed(keys, contactMillis, clock.millis());
    inParts(keys, some -> say(request(KeeperProtocol.RENEW).texts(some).number(contactMillis)));
  }

  @Override
  public void forget(Collection<String> keys) {
    leases.ended(keys);
    inParts(keys, some -> say(request(KeeperProtocol.FORGET).texts(some)));
  }

  private static void inParts(Collection<String> keys, Consumer<List<String>> part) {
    List<String> all = List.copyOf(keys);
    for (int i = 0; i < all.size(); i += KEYS_AT_ONCE) {
      part.accept(all.subList(i, Math.min(all.size(), i + KEYS_AT_ONCE)));
    }
  }

  @Override
  public void shutdown(long graceMillis) {
    say(request(KeeperProtocol.SHUTDOWN).number(graceMillis));
  }

  @Override
  public void close() {
    connection.close(new IOException("closed by this side"));
  }

  private KeeperFrameEncoder request(byte kind) {
    return new KeeperFrameEncoder(kind, lastId.incrementAndGet());
  }

  /** Sends a request and ignores its answer; a missing answer still counts as silence. */
  private void say(KeeperFrameEncoder request) {
    send(request, PendingKeeperCall.of(done -> {}));
  }

  private void send(KeeperFrameEncoder request, PendingKeeperCall call) {
    send(request.id(), request.frame(), call);
  }

  private void send(int id, byte[] frame, PendingKeeperCall call) {
    calls.put(id, call);
    if (closedBy != null) {
      calls.remove(id);
      throw new KeeperGoneException(closedBy);
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
      throw ended.getCause() instanceof KeeperUnresponsiveException silent
          ? new KeeperUnresponsiveException(silent.getMessage())
          : new KeeperGoneException(ended.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KeeperUnresponsiveException("interrupted while waiting for the keeper");
    } finally {
      waiters.remove(answer);
    }
  }

  /** What the open starts need of this connection. */
  private final class Way implements KeeperStartThrottle.Way {
    @Override
    public KeeperFrameEncoder request(byte kind) {
      return KeeperClient.this.request(kind);
    }

    @Override
    public int level() {
      return level;
    }

    @Override
    public void say(KeeperFrameEncoder request) {
      KeeperClient.this.say(request);
    }

    @Override
    public void send(int id, byte[] frame, PendingKeeperCall call) {
      KeeperClient.this.send(id, frame, call);
    }
  }

  private final class Receiver implements KeeperConnection.Handler {
    private final Listener listener;

    Receiver(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void frame(byte[] bytes) {
      KeeperFrameDecoder frame = new KeeperFrameDecoder(bytes);
      if (frame.kind() == KeeperProtocol.EXITED) {
        TaskView ended = frame.view();
        leases.ended(List.of(ended.key()));
        listener.exited(ended);
        return;
      }
      PendingKeeperCall call = calls.get(frame.id());
      if (call == null) {
        throw new KeeperFrameDecoder.MalformedException("an answer to no request");
      }
      if (silence.heard()) {
        listener.silent(0);
      }
      starts.heard(call);
      if (frame.kind() == KeeperProtocol.QUEUED) {
        call.queued();
      } else if (frame.kind() != KeeperProtocol.TASKS || lastOfList(frame, call)) {
        calls.remove(frame.id());
        call.answered(frame);
      }
    }

    private boolean lastOfList(KeeperFrameDecoder frame, PendingKeeperCall call) {
      int count = frame.number();
      for (int i = 0; i < count; i++) {
        call.tasks().add(frame.view());
      }
      return !frame.flag();
    }

    @Override
    public void tick() {
      Collection<PendingKeeperCall> open = calls.values();
      boolean owes = open.stream().anyMatch(call -> !call.isQueued());
      boolean mustEnd = open.stream().anyMatch(PendingKeeperCall::ends);
      if (silence.tick(owes)) {
        silence
            .verdict(keeper.get(), mustEnd, leases.hasPassed(clock.millis()))
            .ifPresentOrElse(connection::close, () -> listener.silent(silence.millis()));
      }
    }

    @Override
    public void closed(Throwable cause) {
      closedBy = cause;
      starts.close(cause);
      calls.clear();
      waiters.forEach(answer -> answer.completeExceptionally(cause));
      listener.disconnected(cause);
    }
  }
}
