package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the engines of this node. They are looked for each time, so that one may be installed. */
final class ContainerEngineFinder {

  /** In the order in which they are tried. */
  static final List<ContainerEngine> ALL =
      List.of(
          new BubblewrapEngine(), new PodmanEngine(), new ApptainerEngine(), new DockerEngine());

  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private final String path;

  /**
   * @param agent the environment of this agent
   */
  ContainerEngineFinder(Map<String, String> agent) {
    this.path = agent.getOrDefault("PATH", DEFAULT_PATH);
  }

  /** An engine and the path of its program. */
  record FoundEngine(ContainerEngine engine, String program) {}

  /**
   * Returns the engine for a container.
   *
   * @throws ContainerRefusedException if the node has none that can run it
   */
  FoundEngine find(ContainerTerms terms, LentDevices devices) throws ContainerRefusedException {
    List<FoundEngine> here = here();
    List<FoundEngine> fitting =
        here.stream()
            .filter(
                found ->
                    terms.engine() == null
                        ? found.engine().suits(terms)
                        : found.engine().name().equals(terms.engine()))
            .toList();
    Optional<String> why = Optional.empty();
    for (FoundEngine found : fitting) {
      Optional<String> no = found.engine().refusal(terms, devices);
      if (no.isEmpty()) {
        return found;
      }
      why = why.or(() -> no);
    }
    throw new ContainerRefusedException(why.orElseGet(() -> missing(terms, here)));
  }

  private static String missing(ContainerTerms terms, List<FoundEngine> here) {
    String wanted =
        terms.engine() != null ? terms.engine() : "engine for the container " + terms.image();
    String have =
        here.isEmpty()
            ? "it has no container engine"
            : "it has "
                + here.stream()
                    .map(found -> found.engine().name())
                    .collect(Collectors.joining(","));
    return "this node has no " + wanted + "; " + have;
  }

  private List<FoundEngine> here() {
    List<FoundEngine> here = new ArrayList<>();
    for (ContainerEngine engine : ALL) {
      locate(engine.command()).ifPresent(program -> here.add(new FoundEngine(engine, program)));
    }
    return here;
  }

  /** Returns the path of a program. */
  Optional<String> locate(String program) {
    for (String folder : path.split(":")) {
      File file = new File(folder, program);
      if (folder.startsWith("/") && file.isFile() && file.canExecute()) {
        return Optional.of(file.getPath());
      }
    }
    return Optional.empty();
  }

  /** Returns a program that serves as the first process of a container. */
  Optional<String> initProgram() {
    return locate("catatonit")
        .or(() -> executable("/usr/libexec/podman/catatonit"))
        .or(() -> executable("/usr/lib/podman/catatonit"))
        .or(() -> locate("tini-static"));
  }

  private static Optional<String> executable(String path) {
    return Optional.of(path).filter(one -> new File(one).canExecute());
  }
}
