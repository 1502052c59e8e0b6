package io.remuda.agent.keeper.protocol;

import io.remuda.agent.keeper.DeviceHoldRequest;
import io.remuda.agent.keeper.EndingSignal;
import io.remuda.agent.keeper.ReachedProcesses;
import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperLog;
import io.remuda.agent.keeper.task.Keeper;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/** One client of the keeper: reads its requests and answers each, on the connection's thread. */
final class KeeperRequestHandler implements KeeperConnection.Handler {
  private final Keeper keeper;
  private final KeeperConnection connection;
  private final Consumer<KeeperRequestHandler> left;
  private final Consumer<KeeperRequestHandler> greets;
  private final SpawnTemplateCache templates = new SpawnTemplateCache();
  private volatile long number;

  /**
   * @param channel connected; closed by this session
   * @param greets called after its hello and before the answer; must set the number
   * @param left called when the connection has ended
   */
  KeeperRequestHandler(
      Keeper keeper,
      SocketChannel channel,
      Consumer<KeeperRequestHandler> greets,
      Consumer<KeeperRequestHandler> left)
      throws IOException {
    this.keeper = keeper;
    this.greets = greets;
    this.left = left;
    connection = new KeeperConnection(channel, this);
  }

  void start() {
    connection.start("client", 0);
  }

  /** Returns the keeper's number for this client; 0 before its hello. */
  long number() {
    return number;
  }

  /** Sets the number; this client is now the newest. */
  void numbered(long number) {
    this.number = number;
  }

  /** Returns whether it is a client of our version. */
  boolean greeted() {
    return number != 0;
  }

  void send(byte[] frame) {
    connection.send(frame);
  }

  /** Closes the connection in favour of another client. */
  void close() {
    connection.close(new IOException("another client has taken over"));
  }

  void flush(long millis) throws InterruptedException {
    connection.flush(millis);
  }

  @Override
  public void frame(byte[] bytes) {
    KeeperFrameDecoder frame = new KeeperFrameDecoder(bytes);
    if (!greeted()) {
      hello(frame);
      return;
    }
    switch (frame.kind()) {
      case KeeperProtocol.TEMPLATE -> template(frame);
      case KeeperProtocol.SPAWN -> spawn(frame);
      case KeeperProtocol.ADOPT -> adopt(frame);
      case KeeperProtocol.RELEASE -> release(frame);
      case KeeperProtocol.WITHDRAW -> withdraw(frame);
      case KeeperProtocol.KILL -> kill(frame);
      case KeeperProtocol.LEAVE -> leave(frame);
      case KeeperProtocol.END -> end(frame);
      case KeeperProtocol.LIST -> list(frame);
      case KeeperProtocol.RENEW -> renew(frame);
      case KeeperProtocol.FORGET -> forget(frame);
      case KeeperProtocol.SHUTDOWN -> shutdown(frame);
      default -> throw new KeeperFrameDecoder.MalformedException("unknown kind " + frame.kind());
    }
  }

  @Override
  public void closed(Throwable cause) {
    if (!(cause instanceof EOFException)) {
      KeeperLog.line("keeper: a client is gone: " + cause);
    }
    left.accept(this);
  }

  private void hello(KeeperFrameDecoder frame) {
    if (frame.kind() != KeeperProtocol.HELLO || frame.number() != KeeperProtocol.MAGIC) {
      throw new KeeperFrameDecoder.MalformedException("no hello");
    }
    int version = frame.number();
    frame.end();
    if (version != KeeperProtocol.VERSION) {
      String message = "keeper speaks version " + KeeperProtocol.VERSION + ", agent " + version;
      send(new KeeperFrameEncoder(KeeperProtocol.ERROR, frame.id()).text(message).frame());
      return;
    }
    greets.accept(this);
    send(
        new KeeperFrameEncoder(KeeperProtocol.WELCOME, frame.id())
            .number(KeeperProtocol.VERSION)
            .number(KeeperProtocol.LEVEL)
            .frame());
  }

  /** An invalid template is not kept, so the starts that name it are refused. */
  private void template(KeeperFrameDecoder frame) {
    int number = frame.number();
    try {
      SpawnTemplate template = frame.template();
      frame.end();
      templates.add(number, template);
    } catch (IllegalArgumentException wrong) {
      KeeperLog.line("keeper: template " + number + " is invalid: " + wrong.getMessage());
    }
    done(frame);
  }

  private void spawn(KeeperFrameDecoder frame) {
    long expiresAt = frame.longNumber();
    int id = frame.id();
    SpawnRequest request;
    try {
      request = frame.request(templates);
      frame.end();
    } catch (IllegalArgumentException wrong) {
      send(encode(id, new SpawnAnswer.Refused(RefusalCode.INVALID, wrong.getMessage())));
      return;
    }
    keeper.spawn(
        request,
        expiresAt,
        number,
        new Keeper.Asker() {
          @Override
          public void queued() {
            send(new KeeperFrameEncoder(KeeperProtocol.QUEUED, id).frame());
          }

          @Override
          public void answered(SpawnAnswer answer) {
            send(encode(id, answer));
          }
        });
  }

  private void adopt(KeeperFrameDecoder frame) {
    int id = frame.id();
    DeviceHoldRequest request;
    try {
      request = frame.adoptRequest();
      frame.end();
    } catch (IllegalArgumentException wrong) {
      send(encode(id, new SpawnAnswer.Refused(RefusalCode.INVALID, wrong.getMessage())));
      return;
    }
    keeper.adopt(request, number, answer -> send(encode(id, answer)));
  }

  private void release(KeeperFrameDecoder frame) {
    String key = frame.text();
    frame.end();
    keeper.release(key);
    done(frame);
  }

  private void withdraw(KeeperFrameDecoder frame) {
    String key = frame.text();
    frame.end();
    keeper.withdraw(key);
    done(frame);
  }

  private static byte[] encode(int id, SpawnAnswer answer) {
    if (answer instanceof SpawnAnswer.Started started) {
      return new KeeperFrameEncoder(KeeperProtocol.STARTED, id)
          .number(started.pid())
          .number(started.startTicks())
          .frame();
    }
    if (answer instanceof SpawnAnswer.Known known) {
      return new KeeperFrameEncoder(KeeperProtocol.KNOWN, id).view(known.task()).frame();
    }
    SpawnAnswer.Refused refused = (SpawnAnswer.Refused) answer;
    return new KeeperFrameEncoder(KeeperProtocol.REFUSED, id)
        .text(refused.code().name())
        .text(refused.message())
        .frame();
  }

  private void kill(KeeperFrameDecoder frame) {
    String key = frame.text();
    long graceMillis = frame.notNegative();
    frame.end();
    keeper.kill(key, graceMillis);
    done(frame);
  }

  private void leave(KeeperFrameDecoder frame) {
    String key = frame.text();
    int signal = (int) Math.min(frame.notNegative(), Integer.MAX_VALUE);
    long graceMillis = frame.notNegative();
    frame.end();
    keeper.end(key, new EndingSignal(signal, ReachedProcesses.FIRST), graceMillis);
    done(frame);
  }

  private void end(KeeperFrameDecoder frame) {
    String key = frame.text();
    int signal = frame.number();
    ReachedProcesses reach = frame.reach();
    long graceMillis = frame.notNegative();
    frame.end();
    keeper.end(key, new EndingSignal(signal, reach), graceMillis);
    done(frame);
  }

  private void list(KeeperFrameDecoder frame) {
    frame.end();
    Iterator<TaskView> views = keeper.list().iterator();
    do {
      sendTasks(frame.id(), views);
    } while (views.hasNext());
  }

  private void sendTasks(int id, Iterator<TaskView> views) {
    KeeperFrameEncoder part = new KeeperFrameEncoder(KeeperProtocol.TASKS, id);
    List<TaskView> some = new ArrayList<>();
    while (views.hasNext() && some.size() < KeeperProtocol.TASKS_LIMIT) {
      some.add(views.next());
    }
    part.number(some.size());
    for (TaskView view : some) {
      part.view(view);
    }
    send(part.flag(views.hasNext()).frame());
  }

  private void renew(KeeperFrameDecoder frame) {
    List<String> keys = frame.texts();
    long contactMillis = frame.notNegative();
    frame.end();
    keeper.renew(keys, contactMillis);
    done(frame);
  }

  private void forget(KeeperFrameDecoder frame) {
    List<String> keys = frame.texts();
    frame.end();
    keys.forEach(keeper::forget);
    done(frame);
  }

  private void shutdown(KeeperFrameDecoder frame) {
    long graceMillis = frame.notNegative();
    frame.end();
    done(frame);
    keeper.shutdown(graceMillis);
  }

  private void done(KeeperFrameDecoder frame) {
    send(new KeeperFrameEncoder(KeeperProtocol.DONE, frame.id()).frame());
  }
}
