package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A program that runs containers. */
interface ContainerEngine {

  /** Returns its name, one of {@link ContainerTerms#ENGINES}. */
  String name();

  /** Returns the name of its program. */
  default String command() {
    return name();
  }

  /** Returns whether it can run such an image, if nobody names an engine. */
  boolean suits(ContainerTerms terms);

  /** Returns why it cannot do what is asked; empty if it can. */
  Optional<String> refusal(ContainerTerms terms, LentDevices devices);

  /** Returns the command line that runs a container in the foreground. */
  List<String> argv(ContainerStartSpec start);

  /**
   * Returns whether a container sees only its own of NVIDIA's GPUs, so that programs in it count
   * them anew.
   */
  default boolean renumbers() {
    return true;
  }

  /** Returns variables of its program by which the container gets the chosen ones. */
  default Map<String, String> environment(ContainerStartSpec start) {
    return Map.of();
  }

  /** Returns whether it reads the chosen variables from a file. */
  default boolean readsVariables() {
    return false;
  }

  /** Returns whether its containers stay when their processes have ended, until removed. */
  default boolean keepsContainers() {
    return false;
  }
}
