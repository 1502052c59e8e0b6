package io.remuda.agent.container;

import io.remuda.agent.attempt.SmallJsonFiles;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.limit.LimitNote;
import io.remuda.agent.keeper.limit.TaskLimits;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.PrivateFileWriter;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers of a node's attempts, from their preparation to their removal. All methods work
 * with files or programs and block, except {@link #wrap} and {@link #forget}. Any thread.
 *
 * <p>A container has a name and labels that tell node and attempt. The keeper ends its processes,
 * as those of any attempt; this class removes what an engine keeps after that. It is done before
 * the end is reported, and again for all containers without a live attempt when a keeper is joined.
 */
public final class NodeContainers {

  /** So often a container is removed that the engine does not let go at once. */
  private static final int MOST_TRIES = 6;

  /** The pause before the second try; each further one is longer by as much. */
  private static final long TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final Logger LOG = LoggerFactory.getLogger(NodeContainers.class);

  /** File in the node's folder with the engines that were used on it. */
  private static final String USED = "container-engines";

  private static final String NODE_LABEL = "io.remuda.node";
  private static final String ATTEMPT_LABEL = "io.remuda.attempt";
  private static final int KILLED = 128 + 9;

  /**
   * The memory of containers that lasted longer was looked at several times; their start alone
   * takes seconds on a busy machine.
   */
  private static final long SEEN_MILLIS = 10_000;

  private final AgentSettings settings;
  private final Distribution distribution;
  private final EngineOptions options;
  private final Map<String, String> agent;
  private final ContainerEngineFinder choice;
  private final Map<AttemptId, PreparedContainer> prepared = new ConcurrentHashMap<>();

  /**
   * @param agent the environment of this agent
   */
  public NodeContainers(
      AgentSettings settings,
      Distribution distribution,
      EngineOptions options,
      Map<String, String> agent) {
    this.settings = settings;
    this.distribution = distribution;
    this.options = options;
    this.agent = agent;
    this.choice = new ContainerEngineFinder(agent);
  }

  /** The programs of engines that keep containers, by name. */
  private record UsedEngines(Map<String, String> programs) {}

  /** Returns whether an order is for a container. */
  public static boolean isIn(TaskStartOrder order) {
    return order.workload() instanceof CommandWorkload command && command.container() != null;
  }

  /** Returns whether an attempt had a container, by the note in its folder. */
  public static boolean isIn(TaskFolder folder) {
    return ContainerCleanupRecord.isIn(folder.path());
  }

  /**
   * Makes ready for a container.
   *
   * @throws ContainerRefusedException if this node cannot run it
   */
  public void prepare(TaskStartOrder order, TaskFolder folder)
      throws ContainerRefusedException, IOException {
    CommandWorkload command = order.command();
    ContainerTerms terms = command.container();
    LentDevices devices = LentDevices.of(order.devices());
    if (order.training() != null) { // it is in the node's network, to speak to the agent
      refuse(HostPortMappingCheck.refusal("a training", terms));
    }
    if (order.job().start() != null) { // so that its members reach each other
      refuse(HostPortMappingCheck.refusal("a gang", terms));
    }
    ContainerEngineFinder.FoundEngine found = choice.find(terms, devices);
    String key = settings.keyPrefix() + order.attempt();
    List<ContainerTerms.Mount> mounts;
    try {
      mounts = PreparedContainer.mounts(order, folder, distribution);
    } catch (IllegalArgumentException unmountable) {
      throw new ContainerRefusedException(unmountable.getMessage());
    }
    if (found.engine().keepsContainers()) {
      noteUse(found);
      new ContainerCleanupRecord(
              found.engine().name(), found.program(), name(key), order.job().request().memory())
          .write(folder.path());
    }
    SortedMap<String, String> chosen = EngineEnvironment.chosen(command);
    String chosenFile = null;
    if (!chosen.isEmpty() && found.engine().readsVariables()) {
      chosenFile = ContainerVariablesFile.write(chosen, folder.path());
    }
    prepared.put(
        order.attempt(),
        new PreparedContainer(
            order,
            found,
            options.of(found.engine()),
            choice.initProgram().orElse(null),
            name(key),
            new TreeMap<>(Map.of(NODE_LABEL, nodeTag(), ATTEMPT_LABEL, key)),
            mounts,
            devices,
            owner(found.engine()),
            chosen,
            chosenFile,
            agent));
  }

  /** Forgets what was prepared for an attempt that has not started. Does not block. */
  public void forget(AttemptId attempt) {
    prepared.remove(attempt);
  }

  private static void refuse(Optional<String> why) throws ContainerRefusedException {
    if (why.isPresent()) {
      throw new ContainerRefusedException(why.get());
    }
  }

  /** Returns the request to start an attempt, in its container if it has one. Does not block. */
  public SpawnRequest wrap(TaskStartOrder order, SpawnRequest bare) {
    PreparedContainer container = prepared.remove(order.attempt());
    return container == null ? bare : container.wrap(bare);
  }

  private ContainerStartSpec.ProcessIds owner(ContainerEngine engine) throws IOException {
    Path self = Path.of("/proc/self");
    int user = (Integer) Files.getAttribute(self, "unix:uid");
    int group = (Integer) Files.getAttribute(self, "unix:gid");
    boolean rootless =
        engine instanceof DockerEngine
            ? agent.getOrDefault("DOCKER_HOST", "").contains("/run/user/")
            : user != 0;
    return new ContainerStartSpec.ProcessIds(user, group, rootless);
  }

  /** Names this node among others of the machine, also those of other clusters. */
  private String nodeTag() {
    byte[] path = settings.folder().toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(path).toString().substring(0, 8);
  }

  private String name(String key) {
    return "remuda-" + nodeTag() + "-" + key.replaceAll("[^A-Za-z0-9_.-]", "-");
  }

  /** Notes an engine, so that a later agent removes what its containers leave. */
  private synchronized void noteUse(ContainerEngineFinder.FoundEngine found) throws IOException {
    Map<String, String> used = used();
    if (!found.program().equals(used.get(found.engine().name()))) {
      used.put(found.engine().name(), found.program());
      SmallJsonFiles.write(settings.folder(), USED, new UsedEngines(used));
      version(found);
      // The first call of a rootless engine starts a process that serves all later ones. It must
      // not be a task's, with which it would be ended.
      removeAllBut(found.engine().name(), found.program(), null);
    }
  }

  private void version(ContainerEngineFinder.FoundEngine found) throws IOException {
    EngineCall version = EngineCall.of(List.of(found.program(), "--version"), agent);
    LOG.info("containers are run by {}: {}", found.program(), version.output());
  }

  private Map<String, String> used() {
    return SmallJsonFiles.read(settings.folder(), USED, UsedEngines.class)
        .map(used -> new TreeMap<>(used.programs()))
        .orElseGet(TreeMap::new);
  }

  /**
   * Removes the container of an attempt whose processes are gone; does nothing if it has none.
   *
   * @param exit how the engine's process ended, or null if that is not known
   * @param asked whether this agent ended it
   */
  public void finish(TaskFolder folder, ExitRecord exit, boolean asked) {
    ContainerCleanupRecord note = ContainerCleanupRecord.read(folder.path()).orElse(null);
    if (note == null) {
      return;
    }
    try {
      if (exit != null && !asked && !exit.killed() && !exit.contactLost()) {
        noteShortage(folder, note, exit);
      }
      remove(note.engine(), note.program(), note.name());
      ContainerVariablesFile.remove(folder.path());
    } catch (IOException fault) {
      LOG.warn("container {} may stay: {}", note.name(), fault.toString());
    }
  }

  /** Notes in the task's folder that it was ended for its memory, which only the engine knows. */
  private void noteShortage(TaskFolder folder, ContainerCleanupRecord note, ExitRecord exit)
      throws IOException {
    if (note.memoryBytes() == 0) {
      return;
    }
    EngineCall state =
        EngineCall.of(
            List.of(note.program(), "inspect", "--format", "{{.State.OOMKilled}}", note.name()),
            agent);
    boolean told = state.succeeded() && state.output().equals("true");
    // Not every kernel tells the engine. Who was seen with little memory was killed by others.
    boolean maybe =
        exit.peakRssBytes() >= note.memoryBytes() / 2 || exit.wallMillis() < SEEN_MILLIS;
    boolean killed = exit.status() instanceof ExitStatus.Code code && code.value() == KILLED;
    if (told || (killed && maybe)) {
      String limit = new TaskLimits(note.memoryBytes(), 0).memory();
      String cause = "killed by the kernel: more than its --mem of " + limit;
      LimitNote.write(
          folder.path(),
          told ? cause : "killed in its container, as for more than its --mem of " + limit);
    }
  }

  private void remove(String engine, String program, String name) throws IOException {
    List<String> argv = new ArrayList<>(List.of(program, "rm", "--force", "--volumes"));
    if (engine.equals("podman")) {
      argv.addAll(List.of("--time", "0", "--ignore"));
    }
    argv.add(name);
    EngineCall removed = EngineCall.of(argv, agent);
    for (int tries = 1; !isRemoved(removed) && tries < MOST_TRIES; tries++) {
      // podman 4.3 refuses a container whose process and monitor were killed a moment ago
      LockSupport.parkNanos(tries * TRY_NANOS);
      removed = EngineCall.of(argv, agent);
    }
    if (!isRemoved(removed)) {
      LOG.warn("{} cannot remove container {}: {}", engine, name, removed.output());
    }
  }

  private static boolean isRemoved(EngineCall removed) {
    return removed.succeeded()
        || removed.output().toLowerCase(Locale.ROOT).contains("no such container");
  }

  /** Returns whether an engine that keeps containers was ever used on this node. */
  public boolean mayBeLeft() {
    return !used().isEmpty();
  }

  /**
   * Removes what earlier attempts have left: after the loss of a keeper or of an agent.
   *
   * @param live keys of the attempts that are not over
   */
  public void sweep(Set<String> live) {
    used().forEach((engine, program) -> removeAllBut(engine, program, live));
  }

  /**
   * @param live keys of attempts; null to remove nothing
   */
  private void removeAllBut(String engine, String program, Set<String> live) {
    try {
      EngineCall listed =
          EngineCall.of(
              List.of(
                  program,
                  "ps",
                  "--all",
                  "--filter",
                  "label=" + NODE_LABEL + "=" + nodeTag(),
                  "--format",
                  "{{.Names}}"),
              agent);
      if (!listed.succeeded()) {
        LOG.warn("{} cannot list its containers: {}", program, listed.output());
      } else if (live != null) {
        Set<String> names = live.stream().map(this::name).collect(Collectors.toSet());
        for (String name : listed.output().split("\\s+")) {
          if (name.startsWith("remuda-") && !names.contains(name)) {
            remove(engine, program, name);
          }
        }
      }
    } catch (IOException fault) {
      LOG.warn("{} cannot list its containers: {}", program, fault.toString());
    }
  }

  /**
   * The container of an attempt, in the attempt's folder, for what has to be done after its end.
   *
   * @param engine name of the engine
   * @param program path of its program
   * @param name of the container
   * @param memoryBytes the most that it may hold; 0 for no limit
   */
  private record ContainerCleanupRecord(
      String engine, String program, String name, long memoryBytes) {

    private static final String FILE = "container";

    static boolean isIn(Path folder) {
      return folder.resolve(FILE).toFile().exists();
    }

    void write(Path folder) throws IOException {
      SmallJsonFiles.write(folder, FILE, this);
    }

    static Optional<ContainerCleanupRecord> read(Path folder) {
      return SmallJsonFiles.read(folder, FILE, ContainerCleanupRecord.class);
    }
  }

  /**
   * A file with variables of a container, for engines that read one. It is in the task's folder,
   * for its owner only, until the task has ended.
   */
  private static final class ContainerVariablesFile {

    private static final String FILE = "container-variables";

    private ContainerVariablesFile() {}

    /**
     * Writes the file and returns its path.
     *
     * @throws ContainerRefusedException if a value has several lines, which no engine reads from a
     *     file
     */
    static String write(SortedMap<String, String> variables, Path folder)
        throws ContainerRefusedException, IOException {
      StringBuilder text = new StringBuilder();
      for (Map.Entry<String, String> variable : variables.entrySet()) {
        if (variable.getValue().chars().anyMatch(one -> one == '\n' || one == '\r')) {
          throw new ContainerRefusedException(
              "the variable "
                  + variable.getKey()
                  + " cannot be given to a container, since it has several lines: choose another name");
        }
        text.append(variable.getKey()).append('=').append(variable.getValue()).append('\n');
      }
      Path file = folder.resolve(FILE);
      PrivateFileWriter.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
      return file.toString();
    }

    /** Removes the file, if there is one. */
    static void remove(Path folder) throws IOException {
      Files.deleteIfExists(folder.resolve(FILE));
    }
  }
}
