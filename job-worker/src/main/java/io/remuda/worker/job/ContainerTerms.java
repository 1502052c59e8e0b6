package io.remuda.worker.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The container that a command runs in.
 *
 * @param image name of an image, or the absolute path of a root file system's folder or of an image
 *     file
 * @param engine name of the engine, one of {@link #ENGINES}; null for what the node has
 * @param mounts what of the node's files it sees besides its working folder
 * @param ports ports of the node that lead to ports of the container
 * @param shmBytes size of {@code /dev/shm}; 0 for the engine's default
 * @param cpuLimit cores that it uses at most, or a fraction of one; 0 for no limit
 * @param pull whether the engine may fetch an image that the node lacks
 * @param variables names of variables of the command that it gets although they describe the
 *     machine of the submission or direct an engine, such as {@code PATH}
 */
public record ContainerTerms(
    String image,
    String engine,
    List<Mount> mounts,
    List<Port> ports,
    long shmBytes,
    double cpuLimit,
    boolean pull,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Set<String> variables) {

  /** The names of engines. */
  public static final Set<String> ENGINES = Set.of("podman", "docker", "apptainer", "bubblewrap");

  private static final int LAST_PORT = 65_535;

  /**
   * A file or folder of the node that a container sees.
   *
   * @param source absolute path on the node
   * @param target absolute path in the container
   */
  public record Mount(String source, String target, boolean readOnly) {
    public Mount {
      requirePath(source);
      requirePath(target);
    }

    private static void requirePath(String path) {
      RecordChecks.noNul("mount", path);
      if (!path.startsWith("/") || path.indexOf(':') >= 0 || path.indexOf(',') >= 0) {
        throw new IllegalArgumentException(
            "a mount has absolute paths without ':' and ',', got '" + path + "'");
      }
      if (path.length() == 1) {
        throw new IllegalArgumentException("a mount cannot be or replace the root folder");
      }
    }

    /**
     * Reads {@code SRC[:DST[:ro|:rw]]}; the target is the source unless named.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Mount parse(String text) {
      String[] parts = text.split(":", -1);
      boolean ending = parts.length == 3 && (parts[2].equals("ro") || parts[2].equals("rw"));
      if (parts.length > 3 || (parts.length == 3 && !ending)) {
        throw new IllegalArgumentException("a mount is SRC[:DST[:ro]], got '" + text + "'");
      }
      boolean readOnly = ending && parts[2].equals("ro");
      return new Mount(parts[0], parts.length > 1 ? parts[1] : parts[0], readOnly);
    }
  }

  /** A port of the node that leads to a port of the container. */
  public record Port(int host, int container) {
    public Port {
      requirePort(host);
      requirePort(container);
    }

    private static void requirePort(int port) {
      if (port < 1 || port > LAST_PORT) {
        throw new IllegalArgumentException("a port is 1 to " + LAST_PORT + ", got " + port);
      }
    }

    /**
     * Reads {@code HOST:CONTAINER}, or one number for both.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Port parse(String text) {
      if (!text.matches("\\d{1,5}(:\\d{1,5})?")) {
        throw new IllegalArgumentException("a port is HOST:CONTAINER, got '" + text + "'");
      }
      String[] parts = text.split(":");
      return new Port(Integer.parseInt(parts[0]), Integer.parseInt(parts[parts.length - 1]));
    }
  }

  /** Creates terms by which the container gets the usual variables. */
  public ContainerTerms(
      String image,
      String engine,
      List<Mount> mounts,
      List<Port> ports,
      long shmBytes,
      double cpuLimit,
      boolean pull) {
    this(image, engine, mounts, ports, shmBytes, cpuLimit, pull, Set.of());
  }

  public ContainerTerms {
    mounts = mounts == null ? List.of() : List.copyOf(mounts);
    ports = ports == null ? List.of() : List.copyOf(ports);
    variables = variables == null ? Set.of() : new TreeSet<>(variables);
    variables = Collections.unmodifiableSet(variables); // sorted, for equal texts
    RecordChecks.noNul("image", image);
    if (image.isBlank() || image.startsWith("-")) { // else an engine would take it for an option
      throw new IllegalArgumentException("image names no image, got '" + image + "'");
    }
    if (engine != null && !ENGINES.contains(engine)) {
      throw new IllegalArgumentException(
          "engine must be podman, docker, apptainer or bubblewrap, got '" + engine + "'");
    }
    if (shmBytes < 0) {
      throw new IllegalArgumentException("shmBytes must not be negative, got " + shmBytes);
    }
    if (!(cpuLimit >= 0) || Double.isInfinite(cpuLimit)) {
      throw new IllegalArgumentException("cpuLimit must be 0 or more, got " + cpuLimit);
    }
  }

  /** Returns the terms of an image, with nothing else stated. */
  public static ContainerTerms of(String image) {
    return new ContainerTerms(image, null, List.of(), List.of(), 0, 0, false);
  }

  /** Returns a copy with another size of shared memory and another limit of cores. */
  public ContainerTerms limited(long shm, double cores) {
    return new ContainerTerms(image, engine, mounts, ports, shm, cores, pull, variables);
  }

  /** Returns a copy in which the container gets these variables, too, whatever their names are. */
  public ContainerTerms withVariables(Collection<String> names) {
    Set<String> all = new TreeSet<>(variables);
    all.addAll(names);
    return new ContainerTerms(image, engine, mounts, ports, shmBytes, cpuLimit, pull, all);
  }

  /** Returns whether the image is a file or folder of the node. */
  public boolean isPath() {
    return image.startsWith("/");
  }
}
