package io.remuda.bench;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.BuildVersion;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskUse;
import io.remuda.agent.protocol.WireFraming;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.TLSClosing;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.Tcp;

/**
 * Many agents of a server in one process, each with its own connection and 8 GPUs whose readings
 * all change at 1 Hz: what a server has to bear, without what agents do. Tasks that they are
 * ordered run until they are not wanted any more, and do nothing.
 *
 * <p>Arguments: the server's access.json, the number of agents, and for how many seconds after all
 * have joined. It prints {@code joined}, and at the end how far apart the server's messages of each
 * second have come (middle, 99th percentile and greatest, in ms), how many connections were lost
 * and how many tasks run, each as {@code name<TAB>figures}.
 */
public final class ManyAgents {

  private static final int GPUS = 8;
  private static final int CPUS = 64;
  private static final long BYTES = 80L << 30;
  private static final int QUEUED = 512;
  private static final int USE_EVERY = 10;

  private final ActorSystem system = ActorSystem.create("agents");
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final AccessFile access;
  private final ClusterTls tls;
  private final List<Agent> agents = new ArrayList<>();
  private final List<Long> gaps = Collections.synchronizedList(new ArrayList<>());

  private ManyAgents(AccessFile access) throws Exception {
    this.access = access;
    this.tls = ClusterTls.of(access);
  }

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    ManyAgents all = new ManyAgents(AccessFile.read(Path.of(args[0])));
    all.run(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
  }

  private void run(int count, int seconds) throws InterruptedException {
    for (int number = 0; number < count; number++) {
      Agent agent = new Agent(number);
      agents.add(agent);
      agent.join();
      Thread.sleep(10); // the server takes 200 handshakes a second
    }
    while (agents.stream().anyMatch(agent -> agent.heard == 0)) {
      Thread.sleep(100);
    }
    gaps.clear();
    agents.forEach(agent -> agent.lost = 0); // those that the server had no time for, dialled again
    System.out.println("joined\t" + count);
    TimeUnit.SECONDS.sleep(seconds);
    List<Long> sorted = new ArrayList<>(gaps);
    Collections.sort(sorted);
    int lost = agents.stream().mapToInt(agent -> agent.lost).sum();
    int tasks = agents.stream().mapToInt(agent -> agent.attempts.size()).sum();
    System.out.printf(
        "gaps\t%d\t%d\t%d%nlost\t%d%ntasks\t%d%n",
        sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() * 99 / 100),
        sorted.get(sorted.size() - 1),
        lost,
        tasks);
    System.exit(0);
  }

  /** One agent. */
  private final class Agent {
    private final String name;
    private final List<DeviceInfo> devices = new ArrayList<>();
    private volatile BoundedSourceQueue<AgentMessage> outgoing;
    private volatile Set<AttemptId> attempts = Set.of();
    private volatile long revision;
    private volatile boolean sampling;
    private volatile long heard;
    private volatile int lost;
    private long sequence;

    private Agent(int number) {
      name = String.format("n%04d", number);
      for (int gpu = 0; gpu < GPUS; gpu++) {
        DeviceId id = new DeviceId("GPU-" + number + "-" + gpu);
        devices.add(new DeviceInfo(id, gpu, DeviceVendor.SIMULATED, "H100", null, BYTES, null));
      }
      clock.scheduleAtFixedRate(this::second, 1000 + number % 1000, 1000, TimeUnit.MILLISECONDS);
    }

    private void join() {
      String contact = access.contacts().get(0);
      int colon = contact.lastIndexOf(':');
      InetSocketAddress address =
          new InetSocketAddress(
              contact.substring(0, colon), Integer.parseInt(contact.substring(colon + 1)));
      var transport =
          Tcp.get(system)
              .outgoingConnectionWithTls(
                  address,
                  tls::client,
                  Optional.empty(),
                  List.of(),
                  Optional.empty(),
                  Optional.empty(),
                  session -> Optional.empty(),
                  TLSClosing.eagerClose());
      var running =
          Source.<AgentMessage>queue(QUEUED)
              .via(WireFraming.over(transport, CoordinatorMessage.class))
              .toMat(Sink.foreach(this::hear), Keep.both())
              .run(system);
      outgoing = running.first();
      running
          .second()
          .whenComplete(
              (done, fault) -> {
                lost++;
                heard = 0;
                outgoing = null;
                clock.schedule(this::join, 1, TimeUnit.SECONDS);
              });
      HostInfo host = new HostInfo(name, "a CPU", CPUS, CPUS, 1L << 39, 1L << 39);
      outgoing.offer(
          new AgentMessage.Hello(
              name,
              "boot-" + name,
              WireMessage.PROTOCOL_VERSION,
              BuildVersion.VERSION,
              1,
              host,
              devices,
              "simulated",
              Map.of(),
              List.of(),
              new MachineFacts(name, CPUS, 1L << 39, null, null),
              name,
              NodeAddressAndPorts.LOOPBACK,
              Set.of(AgentMessage.Hello.PARAMETERS, AgentMessage.Hello.STREAMS),
              Map.of()));
    }

    private void hear(CoordinatorMessage message) {
      if (message instanceof CoordinatorMessage.Refused refused) {
        System.out.println(name + ": " + refused.reason());
      }
      if (message instanceof CoordinatorMessage.Desired desired) {
        long now = System.nanoTime();
        if (heard != 0) {
          gaps.add((now - heard) / 1_000_000);
        }
        heard = now;
        attempts =
            Set.copyOf(
                Stream.concat(
                        desired.tasks().stream().map(order -> order.attempt()),
                        desired.kept().stream().map(CoordinatorMessage.Kept::attempt))
                    .toList());
        revision = desired.revision();
        sampling = desired.sampling();
        report(null);
      }
    }

    private void report(TaskUse use) {
      BoundedSourceQueue<AgentMessage> queue = outgoing;
      if (queue != null) {
        queue.offer(
            new AgentMessage.Report(
                revision,
                sampling,
                attempts.stream()
                    .map(
                        attempt ->
                            new TaskReport(
                                attempt, TaskPhase.RUNNING, 4711, null, null, null, null, use))
                    .toList()));
      }
    }

    private void second() {
      BoundedSourceQueue<AgentMessage> queue = outgoing;
      if (queue == null || heard == 0) {
        return;
      }
      ThreadLocalRandom random = ThreadLocalRandom.current();
      sequence++;
      report(
          sequence % USE_EVERY == 0
              ? new TaskUse(
                  sequence * 1000,
                  sequence * random.nextInt(1, 1000),
                  random.nextLong(1L << 30),
                  1L << 30,
                  1L << 34,
                  null)
              : null);
      if (sampling) {
        queue.offer(
            new AgentMessage.Telemetry(
                List.of(
                    new NodeSample(
                        name,
                        sequence,
                        System.currentTimeMillis(),
                        new HostSample(
                            random.nextDouble(CPUS),
                            1,
                            1,
                            random.nextDouble(),
                            CPUS,
                            1L << 39,
                            random.nextLong(1L << 39),
                            0L),
                        devices.stream()
                            .map(
                                gpu ->
                                    DeviceSampleBuilder.of(gpu)
                                        .utilGpu(random.nextInt(101))
                                        .memTotal(BYTES)
                                        .memUsed(random.nextLong(BYTES))
                                        .memReserved(0L)
                                        .memFree(random.nextLong(BYTES))
                                        .tempC(random.nextInt(30, 80))
                                        .powerMw(random.nextInt(70_000, 700_000))
                                        .processes(List.of())
                                        .build())
                            .toList()))));
      }
    }
  }
}
