package io.remuda.worker.main;

import io.remuda.json.PlainJson;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.WorkerOrder;
import io.remuda.worker.protocol.FromWorker;
import io.remuda.worker.protocol.ToWorker;
import io.remuda.worker.protocol.WorkerEvent;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs one attempt of a task: reads the order in its folder, opens its socket there, does the work,
 * and exits with 0 once the coordinator has acknowledged its last event.
 */
public final class WorkerMain {

  private static final int USAGE = 2;

  private WorkerMain() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 1) {
      System.err.println("usage: job-worker.jar TASK_FOLDER");
      System.exit(USAGE);
    }
    KeeperWatch.start();
    Path folder = Path.of(arguments[0]);
    run(folder, readOrder(folder));
    System.exit(0);
  }

  private static WorkerOrder readOrder(Path folder) throws IOException {
    return PlainJson.MAPPER.readValue(folder.resolve(WorkerOrder.FILE).toFile(), WorkerOrder.class);
  }

  private static void run(Path folder, WorkerOrder order) throws Exception {
    Progress progress = new Progress();
    FrameReceiver frames = new FrameReceiver();
    try (AgentSocketServer port =
        AgentSocketServer.open(folder, frames::receive, progress::alive)) {
      WorkerEvent last;
      try {
        last = work(order, port, frames, progress);
      } catch (Exception | LinkageError failure) {
        failure.printStackTrace();
        last = new WorkerEvent.Failed(describe(failure));
      }
      port.tell(last);
      port.awaitAcknowledged();
    }
  }

  private static WorkerEvent work(
      WorkerOrder order, AgentSocketServer port, FrameReceiver frames, Progress progress)
      throws Exception {
    if (order.workload() instanceof MnistWorkload mnist) {
      return MnistTrainingRunner.train(order, mnist, frames::isStopAsked, port::tell, progress);
    }
    ItemFeed items = new ItemFeed(port::tell);
    frames.feed(items);
    ConvolutionWorkload convolution = (ConvolutionWorkload) order.workload();
    return new PoolItemProcessor(items, port::tell, progress)
        .run(new ImageConvolver(convolution.size(), convolution.seed()));
  }

  private static String describe(Throwable failure) {
    String message = failure.getMessage();
    String kind = failure.getClass().getSimpleName();
    return message == null ? kind : kind + ": " + message.lines().findFirst().orElse("");
  }

  /**
   * Receives the agent's frames: passes answers to the item feed and notes a request to stop. There
   * is no feed while the socket opens, nor for training.
   */
  private static final class FrameReceiver {
    private volatile ItemFeed feed;
    private volatile boolean stopAsked;

    void feed(ItemFeed items) {
      feed = items;
    }

    boolean isStopAsked() {
      return stopAsked;
    }

    void receive(ToWorker frame) {
      if (frame instanceof ToWorker.StopAfterEpoch) {
        stopAsked = true;
        return;
      }
      ItemFeed current = feed;
      if (current != null) {
        current.receive(frame);
      }
    }
  }

  /** The progress of the work, read by the heartbeat. */
  static final class Progress {
    private volatile FromWorker.Alive latest = new FromWorker.Alive(0, 0, "starting");

    void at(long done, long total, String phase) {
      latest = new FromWorker.Alive(done, total, phase);
    }

    FromWorker.Alive alive() {
      return latest;
    }
  }
}
