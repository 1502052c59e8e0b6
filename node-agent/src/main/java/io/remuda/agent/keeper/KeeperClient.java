package io.remuda.agent.keeper;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The agent's side of the socket to its keeper. Calls block until the answer and may come from any
 * thread, but not from the listener's; each throws {@link KeeperUnresponsive} after the timeout and
 * {@link KeeperGone} once the connection has ended.
 *
 * <p>A spawn that was not answered in time is not started later: it carries its own expiry. It may
 * still have been started just in time, which {@link #list} tells.
 */
public final class KeeperClient implements Closeable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

  /** A spawn expires so long before its caller stops waiting. */
  private static final long EXPIRY_MARGIN_MILLIS = 300;

  private static final int KEYS_AT_ONCE = 1000;

  /** An answer is waited for in so many parts. */
  private static final int PARTS = 10;

  private final long timeoutMillis;
  private final BootClock clock = BootClock.system();
  private final Connection connection;
  private final Map<Integer, Call> calls = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();
  private volatile Throwable closedBy;

  /** What the keeper tells unasked; called on the reading thread. */
  public interface Listener {
    /**
     * The task's tree is gone and its exit record written. Told only to the newest client, and
     * maybe again by {@link KeeperClient#list}.
     */
    void exited(TaskView task);

    /** The last call, once, also after {@link KeeperClient#close}. */
    void disconnected(Throwable cause);
  }

  /** A call under way; a list may come in several frames. */
  private static final class Call {
    private final CompletableFuture<FrameReader> answer = new CompletableFuture<>();
    private final List<TaskView> tasks = new ArrayList<>();
  }

  private KeeperClient(SocketChannel channel, Listener listener, Duration timeout) {
    timeoutMillis = timeout.toMillis();
    connection = new Connection(channel, new Receiver(listener));
  }

  public static KeeperClient connect(Path socket, Listener listener) throws IOException {
    return connect(socket, listener, DEFAULT_TIMEOUT);
  }

  /** Throws IOException if nobody listens there or if the keeper is of another version. */
  public static KeeperClient connect(Path socket, Listener listener, Duration timeout)
      throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException | RuntimeException refused) {
      channel.close();
      throw refused;
    }
    KeeperClient client = new KeeperClient(channel, listener, timeout);
    client.connection.start("keeper");
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
    FrameWriter frame = request(Protocol.HELLO);
    frame.number(Protocol.MAGIC).number(Protocol.VERSION);
    FrameReader answer = await(frame);
    if (answer.kind() == Protocol.ERROR) {
      throw new IOException(answer.text());
    }
  }

  /** Starts a task, or says why not; a key known already starts nothing. */
  public SpawnAnswer spawn(SpawnRequest request) {
    long patience = Math.max(timeoutMillis - EXPIRY_MARGIN_MILLIS, timeoutMillis / 2);
    long expiresAt = clock.millis() + patience;
    return answer(await(request(Protocol.SPAWN).number(expiresAt).request(request)));
  }

  /** Watches a program that runs already, or says why not; a key known already changes nothing. */
  public SpawnAnswer adopt(AdoptRequest request) {
    return answer(await(request(Protocol.ADOPT).request(request)));
  }

  /** A program that was adopted gives its devices back. An unknown key is no error. */
  public void release(String key) {
    await(request(Protocol.RELEASE).text(key));
  }

  private static SpawnAnswer answer(FrameReader answer) {
    return switch (answer.kind()) {
      case Protocol.STARTED -> new SpawnAnswer.Started(answer.longNumber(), answer.longNumber());
      case Protocol.KNOWN -> new SpawnAnswer.Known(answer.view());
      case Protocol.REFUSED ->
          new SpawnAnswer.Refused(RefusalCode.valueOf(answer.text()), answer.text());
      default -> throw new FrameReader.Malformed("answer of kind " + answer.kind());
    };
  }

  /** Ends a task: SIGTERM to its tree, after the grace SIGKILL. An unknown key is no error. */
  public void kill(String key, long graceMillis) {
    await(request(Protocol.KILL).text(key).number(graceMillis));
  }

  /** All tasks that live or have ended and are not forgotten, in the order of their start. */
  public List<TaskView> list() {
    FrameWriter frame = request(Protocol.LIST);
    Call call = new Call();
    await(frame, call);
    return call.tasks;
  }

  /** Prolongs leases to so long from now; 0 takes the lease away. Unknown keys are no error. */
  public void renew(Collection<String> keys, long leaseMillis) {
    List<String> all = List.copyOf(keys);
    for (int i = 0; i < all.size(); i += KEYS_AT_ONCE) {
      List<String> some = all.subList(i, Math.min(all.size(), i + KEYS_AT_ONCE));
      await(request(Protocol.RENEW).texts(some).number(leaseMillis));
    }
  }

  /** Drops ended tasks whose exits were learned; live ones stay. */
  public void forget(Collection<String> keys) {
    List<String> all = List.copyOf(keys);
    for (int i = 0; i < all.size(); i += KEYS_AT_ONCE) {
      await(request(Protocol.FORGET).texts(all.subList(i, Math.min(all.size(), i + KEYS_AT_ONCE))));
    }
  }

  /** Has the keeper end all tasks and then itself; returns as soon as it has heard. */
  public void shutdown(long graceMillis) {
    await(request(Protocol.SHUTDOWN).number(graceMillis));
  }

  /** The tasks run on. */
  @Override
  public void close() {
    connection.close(new IOException("closed by this side"));
  }

  private FrameWriter request(byte kind) {
    return new FrameWriter(kind, lastId.incrementAndGet());
  }

  private FrameReader await(FrameWriter request) {
    return await(request, new Call());
  }

  private FrameReader await(FrameWriter request, Call call) {
    byte[] frame = request.frame();
    int id = request.id();
    calls.put(id, call);
    try {
      if (closedBy != null) {
        throw new KeeperGone(closedBy);
      }
      connection.send(frame);
      return answer(call);
    } catch (TimeoutException late) {
      throw new KeeperUnresponsive("the keeper has not answered for " + timeoutMillis + " ms");
    } catch (ExecutionException ended) {
      throw new KeeperGone(ended.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KeeperUnresponsive("interrupted while waiting for the keeper");
    } finally {
      calls.remove(id);
    }
  }

  /** A pause of this whole process is no silence of the keeper: it counts as one part at most. */
  private FrameReader answer(Call call)
      throws InterruptedException, ExecutionException, TimeoutException {
    long partMillis = Math.max(1, timeoutMillis / PARTS);
    for (int part = 1; part < PARTS; part++) {
      try {
        return call.answer.get(partMillis, TimeUnit.MILLISECONDS);
      } catch (TimeoutException notYet) {
        continue;
      }
    }
    return call.answer.get(partMillis, TimeUnit.MILLISECONDS);
  }

  private final class Receiver implements Connection.Handler {
    private final Listener listener;

    Receiver(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void frame(byte[] bytes) {
      FrameReader frame = new FrameReader(bytes);
      if (frame.kind() == Protocol.EXITED) {
        listener.exited(frame.view());
        return;
      }
      Call call = calls.get(frame.id());
      if (call == null) {
        return; // its caller has stopped waiting
      }
      if (frame.kind() != Protocol.TASKS || lastOfList(frame, call)) {
        call.answer.complete(frame);
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
    public void closed(Throwable cause) {
      closedBy = cause;
      for (Call call : calls.values()) {
        call.answer.completeExceptionally(cause);
      }
      listener.disconnected(cause);
    }
  }
}
