package io.remuda.agent.container;

import io.remuda.worker.job.ContainerTerms;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What an engine has to start.
 *
 * @param program path of the engine
 * @param options that this node's settings add
 * @param initProgram path of a program that serves as the first process of a container, or null
 * @param name of the container
 * @param labels by which it is found later
 * @param command program and arguments of the user
 * @param variables names of the variables that it gets; their values are in the engine's
 *     environment, since other users can read the arguments of a process
 * @param chosen further variables, which the engine's program must not have in its environment
 * @param chosenFile file with the chosen variables, one a line; null if the engine reads none
 * @param folder absolute working folder
 * @param umask of the user's command
 * @param mounts all files of the node that it sees
 * @param devices what it gets of the node's devices
 * @param memoryBytes the most that it may hold; 0 for no limit
 * @param cpus requested cores, its weight beside others; 0 for none
 * @param hostNetwork whether it must reach servers of this node at its loopback address
 * @param owner whose files its processes read and write
 */
public record ContainerStartSpec(
    ContainerTerms terms,
    String program,
    List<String> options,
    String initProgram,
    String name,
    SortedMap<String, String> labels,
    List<String> command,
    SortedSet<String> variables,
    SortedMap<String, String> chosen,
    String chosenFile,
    String folder,
    int umask,
    List<ContainerTerms.Mount> mounts,
    LentDevices devices,
    long memoryBytes,
    double cpus,
    boolean hostNetwork,
    ProcessIds owner) {

  /**
   * The user of this process.
   *
   * @param rootlessEngine whether the engine gives this user's files to another user inside, unless
   *     it is told to keep the ids
   */
  public record ProcessIds(int user, int group, boolean rootlessEngine) {
    String words() {
      return user + ":" + group;
    }
  }
}
