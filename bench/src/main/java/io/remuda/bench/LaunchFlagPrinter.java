package io.remuda.bench;

import io.remuda.agent.settings.JvmFlags;
import io.remuda.worker.workload.mnist.LibraryTuningVariables;
import java.util.List;

/**
 * Prints the flags and environment variables with which Remuda starts its processes, so that the
 * benchmarks can use them: one per line, after the role and a tab. Class archives are located
 * through {@code -Dremuda.archives}.
 */
public final class LaunchFlagPrinter {

  private static final int MNIST_HEAP_MEGABYTES = 384;

  private LaunchFlagPrinter() {}

  /** Prints the flags; argument: the number of threads of a worker. */
  public static void main(String[] arguments) {
    print("agent", JvmFlags.agent());
    print("worker", JvmFlags.worker(MNIST_HEAP_MEGABYTES));
    print("native-worker", JvmFlags.nativeWorker(MNIST_HEAP_MEGABYTES));
    LibraryTuningVariables.variables(Integer.parseInt(arguments[0]))
        .forEach((name, value) -> print("environment", List.of(name + "=" + value)));
  }

  private static void print(String role, List<String> values) {
    values.forEach(value -> System.out.println(role + "\t" + value));
  }
}
