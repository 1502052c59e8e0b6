package io.remuda.agent.training;

import io.remuda.agent.attempt.LaunchAdditions;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.output.RegularFile;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.TrainingCallers;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.TrainingProgress;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trainings on this node and the server that they speak to, which runs from the first of them
 * on. Safe for use by several threads. The methods that read or write files say so.
 */
public final class Trainings implements AutoCloseable {

  /** Is told what a training has told, on the thread of its request. */
  public interface Listener {
    /**
     * Takes the progress at the end of an epoch, or when it is told to leave; the node has it in a
     * file.
     */
    void told(AttemptId attempt, TrainingProgress progress);
  }

  /** The metric of epochs, whose number is its step. */
  static final String EPOCH_SECONDS = "epochSeconds";

  private static final Logger LOG = LoggerFactory.getLogger(Trainings.class);
  private static final double MILLIS = 1000;

  private final Path home;
  private final Distribution distribution;
  private final TrainingCallers callers;
  private final LongSupplier nanoClock;
  private final Clock wallClock;
  private final Map<AttemptId, LaunchAdditions> launches = new ConcurrentHashMap<>();
  private final Map<UUID, RunningTraining> byId = new ConcurrentHashMap<>();
  private final Map<AttemptId, RunningTraining> byAttempt = new ConcurrentHashMap<>();
  private final Listener listener;
  private TrainingServer server;
  private TrainingFolderMounts folders;

  /**
   * @param settings of the agent: its folder, and whom the server answers
   * @param distribution has the Python package that trainings import
   * @param nanoClock monotonic clock in nanoseconds
   * @param wallClock for the times of epochs
   * @param listener is told of the ends of epochs, and of trainings that are told to leave
   */
  public Trainings(
      AgentSettings settings,
      Distribution distribution,
      LongSupplier nanoClock,
      Clock wallClock,
      Listener listener) {
    this.home = settings.folder();
    this.distribution = distribution;
    this.callers = settings.trainingCallers();
    this.nanoClock = nanoClock;
    this.wallClock = wallClock;
    this.listener = listener;
  }

  /**
   * Makes ready for an ordered training: the server, its note and its folder for snapshots. Works
   * with files.
   *
   * @param order with a training
   * @param folder of the attempt
   */
  public void prepare(TaskStartOrder order, Path folder) throws IOException {
    startServer();
    UUID id = order.job().uuid();
    SnapshotsFolder.prepare(order.training(), id);
    TrainingNote note =
        new TrainingNote(
            id,
            order.training(),
            order.devices().size(),
            order.ending() == null ? 0 : order.ending().graceMillis(),
            TrainingProgress.after(order.training().epochsDone(), order.training().longestMillis()),
            false);
    note.write(folder);
    TrainingNote.writePrepared(folder, wallClock.millis());
    launches.put(
        order.attempt(),
        new LaunchAdditions(
            prefix(order), TrainingVariables.of(order, address(), home, distribution)));
    begin(
        order.attempt(), new RunningTraining(order.attempt(), folder, note, nanoClock.getAsLong()));
  }

  /** Takes over an attempt that an earlier agent has started, if it is a training. Reads a file. */
  public void adopt(AttemptId attempt, Path folder) throws IOException {
    Optional<TrainingNote> note = TrainingNote.read(folder);
    if (note.isPresent() && !byAttempt.containsKey(attempt)) {
      startServer();
      begin(attempt, new RunningTraining(attempt, folder, note.get(), 0));
    }
  }

  private void begin(AttemptId attempt, RunningTraining training) {
    byAttempt.put(attempt, training);
    byId.put(training.note().id(), training);
  }

  private synchronized void startServer() throws IOException {
    if (server == null) {
      NvidiaSmiStandIn.write(home);
      folders = TrainingFolderMounts.in(NvidiaSmiStandIn.folder(home));
      server = TrainingServer.start(home, callers, this);
    }
  }

  private synchronized List<String> prefix(TaskStartOrder order) throws FileNotFoundException {
    return folders.prefix(order.training().terms());
  }

  /** Returns how an attempt is started; nothing special for one that is no training. */
  public LaunchAdditions launch(AttemptId attempt) {
    return launches.getOrDefault(attempt, LaunchAdditions.NONE);
  }

  private synchronized String address() {
    return server.address();
  }

  /** Returns how far a training is; empty for other attempts and until it has spoken. */
  public Optional<TrainingProgress> progress(AttemptId attempt) {
    return Optional.ofNullable(byAttempt.get(attempt))
        .map(RunningTraining::note)
        .filter(TrainingNote::spoke)
        .map(TrainingNote::progress);
  }

  /**
   * Has an attempt leave at the end of its epoch; may be repeated.
   *
   * @param alsoLast whether it is to leave in its last epoch, too, for which it needs a signal
   * @return whether it will do so; otherwise it needs a signal
   */
  public boolean leave(AttemptId attempt, boolean alsoLast) {
    RunningTraining training = byAttempt.get(attempt);
    return training != null && training.leave(alsoLast, nanoClock.getAsLong());
  }

  /** Returns the report of an ended attempt with what is noted in its folder. Reads a file. */
  public static TaskReport told(TaskReport end, Path folder) {
    return TrainingNote.read(folder)
        .filter(TrainingNote::spoke)
        .map(note -> end.with(note.progress()))
        .orElse(end);
  }

  /** Forgets an attempt that has ended. */
  public void ended(AttemptId attempt) {
    launches.remove(attempt);
    RunningTraining training = byAttempt.remove(attempt);
    if (training != null) {
      byId.remove(training.note().id(), training);
    }
  }

  /** Returns the training that speaks by this UUID. */
  Optional<RunningTraining> find(UUID id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** Takes the measurement of a training. */
  void measured(RunningTraining training, TrainingReport.Measurement measurement)
      throws TrainingReport.MalformedException, IOException {
    training.measured(measurement, nanoClock.getAsLong(), wallClock.millis());
  }

  /** Takes the end of an epoch; it is in a file and reported when this returns. */
  void ended(RunningTraining training, TrainingReport.EpochEnd end)
      throws TrainingReport.MalformedException, IOException {
    if (training.ended(end, nanoClock.getAsLong(), wallClock.millis())) {
      listener.told(training.attempt(), training.progress());
      report(training);
    }
  }

  /** Reports how long the epoch has taken, as a program reports: beside its loss in the history. */
  private void report(RunningTraining training) {
    TrainingProgress progress = training.progress();
    String line =
        String.format(
            Locale.ROOT,
            "%s %.3f %d %.3f%n",
            EPOCH_SECONDS,
            progress.epochMillis() / MILLIS,
            progress.epochsDone(),
            wallClock.millis() / MILLIS);
    Path metrics = new TaskFolder(training.folder()).metrics();
    try {
      append(metrics, line);
    } catch (IOException fault) { // the program has put something else in its place
      LOG.debug("{}: an epoch is not reported", training.attempt(), fault);
    }
  }

  private static void append(Path metrics, String line) throws IOException {
    try (OutputStream to = RegularFile.append(metrics)) {
      to.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchFileException none) {
      Files.writeString(metrics, line, StandardOpenOption.CREATE_NEW);
    }
  }

  /** Answers the question of a training whether it has to stop. */
  boolean hasToStop(RunningTraining training) throws IOException, InterruptedException {
    training.awaitDecision();
    boolean answer = training.hasToStop(nanoClock.getAsLong());
    if (answer) { // its exit code 0 then means that it has left
      listener.told(training.attempt(), training.progress());
    }
    return answer;
  }

  /** Stops the server; trainings go on without it. */
  @Override
  public synchronized void close() {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  /** The folder in which a training saves its snapshots. */
  private static final class SnapshotsFolder {

    private SnapshotsFolder() {}

    /**
     * Creates it if it is missing. A training that has done no epoch makes its own folder in it, as
     * if it had never run, so an empty one of an earlier attempt is removed.
     */
    static void prepare(TaskStartOrder.Training training, UUID id) throws IOException {
      String path = training.terms().snapshots();
      if (path == null) {
        return;
      }
      Path folder = Files.createDirectories(Path.of(path));
      if (training.epochsDone() == 0) {
        File own = folder.resolve(id.toString()).toFile();
        own.delete(); // fails if it is missing or has files, which then stay
      }
    }
  }
}
