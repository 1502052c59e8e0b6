package io.remuda.agent.container;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.SpawnTemplate;
import io.remuda.agent.keeper.limit.ShellLimits;
import io.remuda.agent.keeper.proc.TaskMark;
import io.remuda.agent.protocol.DeviceVariables;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.Distribution;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.TrainingTerms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What was found out for the container of an attempt before it starts. No method blocks.
 *
 * @param options that this node's settings add
 * @param initProgram path of a program that serves as the first process, or null
 * @param mounts all files of the node that the container sees
 * @param chosen variables for the container alone
 * @param chosenFile file with them, or null
 * @param agent the environment of this agent
 */
record PreparedContainer(
    TaskStartOrder order,
    ContainerEngineFinder.FoundEngine engine,
    List<String> options,
    String initProgram,
    String name,
    SortedMap<String, String> labels,
    List<ContainerTerms.Mount> mounts,
    LentDevices devices,
    ContainerStartSpec.ProcessIds owner,
    SortedMap<String, String> chosen,
    String chosenFile,
    Map<String, String> agent) {

  /** Returns the request to start the engine in place of the command. */
  SpawnRequest wrap(SpawnRequest bare) {
    Map<String, String> task = bare.environment();
    task.put(SpawnRequest.CONTAINER, engine.engine().name());
    if (engine.engine().keepsContainers()) { // these limit the engine, not what is in it
      task.remove(ShellLimits.VARIABLE);
    }
    if (engine.engine().renumbers()) { // UUIDs are the same everywhere
      task.put(DeviceVariables.CUDA, String.join(",", devices.nvidia()));
    }
    CommandWorkload command = order.command();
    ContainerStartSpec start = start(command, task);
    Map<String, String> ofEngine = EngineEnvironment.of(task, agent);
    ofEngine.putAll(engine.engine().environment(start));
    SpawnTemplate template =
        new SpawnTemplate(engine.engine().argv(start), ofEngine, command.folder(), command.umask());
    return bare.with(template);
  }

  private ContainerStartSpec start(CommandWorkload command, Map<String, String> task) {
    SortedSet<String> variables = EngineEnvironment.inside(task);
    variables.add(TaskMark.KEY); // the keeper sets both
    variables.add(TaskMark.KEEPER);
    return new ContainerStartSpec(
        command.container(),
        engine.program(),
        optionsWith(task.get(SpawnRequest.CPU_SET)),
        initProgram,
        name,
        labels,
        command.argv(),
        variables,
        chosen,
        chosenFile,
        command.folder(),
        command.umask(),
        mounts,
        devices,
        order.job().request().memory(),
        order.job().request().cpus(),
        order.training() != null // it speaks to the agent at the loopback address
            || order.job().start() != null, // its members know each other by the nodes' addresses
        owner);
  }

  /**
   * Returns the options with the CPUs of a pinned task: containers of docker are no children of the
   * process that the keeper binds, as those of the other engines are.
   */
  private List<String> optionsWith(String cpus) {
    if (cpus == null || !engine.engine().name().equals("docker")) {
      return options;
    }
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("--cpuset-cpus", cpus));
    return all;
  }

  /**
   * Returns the mounts of an attempt, outer folders first: what the user names, its working folder,
   * its scratch folder, and those of a training.
   *
   * @throws IllegalArgumentException if a path cannot be mounted
   */
  static List<ContainerTerms.Mount> mounts(
      TaskStartOrder order, TaskFolder folder, Distribution distribution) {
    CommandWorkload command = (CommandWorkload) order.workload();
    Map<String, ContainerTerms.Mount> byTarget = new HashMap<>();
    command.container().mounts().forEach(mount -> byTarget.put(mount.target(), mount));
    if (command.folder().length() > 1) { // the root folder is the image's
      add(byTarget, command.folder(), command.folder());
    }
    add(byTarget, folder.scratch().toString(), folder.scratch().toString());
    if (order.training() != null) {
      TrainingTerms terms = order.training().terms();
      addTraining(byTarget, "/snapshots", terms.snapshots());
      addTraining(byTarget, "/custom", terms.custom());
      addTraining(byTarget, "/data", terms.data());
      Optional<Path> wheel = distribution.pythonPackage();
      wheel.map(Path::toString).ifPresent(path -> add(byTarget, path, path));
    }
    List<ContainerTerms.Mount> mounts = new ArrayList<>(byTarget.values());
    mounts.sort(
        Comparator.<ContainerTerms.Mount>comparingInt(mount -> mount.target().length())
            .thenComparing(ContainerTerms.Mount::target));
    return mounts;
  }

  /** Adds a folder at the fixed path of trainings and at its own, which a variable names. */
  private static void addTraining(
      Map<String, ContainerTerms.Mount> byTarget, String inside, String path) {
    if (path != null) {
      add(byTarget, path, inside);
      add(byTarget, path, path);
    }
  }

  private static void add(
      Map<String, ContainerTerms.Mount> byTarget, String source, String target) {
    byTarget.putIfAbsent(target, new ContainerTerms.Mount(source, target, false));
  }
}
