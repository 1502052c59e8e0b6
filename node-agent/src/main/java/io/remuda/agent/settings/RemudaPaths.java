package io.remuda.agent.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folders of one user: state in {@code $REMUDA_HOME} or {@code ~/.remuda}, reproducible data in
 * {@code $REMUDA_CACHE}, {@code $XDG_CACHE_HOME/remuda} or {@code ~/.cache/remuda}.
 *
 * @param state runs and their logs
 * @param cache native libraries, class archives, downloaded data
 */
public record RemudaPaths(Path state, Path cache) {

  private static final String STATE = "REMUDA_HOME";
  private static final String CACHE = "REMUDA_CACHE";
  private static final Path HERE = Path.of("");

  /** System property that replaces {@code $HOME}, for tests within one process. */
  public static final String HOME_PROPERTY = "remuda.user-home";

  /**
   * Returns the folders of this process's user: below {@code $HOME}, else below the account's home.
   */
  public static RemudaPaths current() {
    String given = System.getProperty(HOME_PROPERTY);
    Path account = Path.of(System.getProperty("user.home"));
    Map<String, String> named = new HashMap<>();
    for (String name : List.of("HOME", STATE, CACHE, "XDG_CACHE_HOME")) {
      ProcessArgumentsAndEnvironment.variable(name).ifPresent(value -> named.put(name, value));
    }
    Path home = given(named, "HOME", HERE.toAbsolutePath()).orElse(account);
    return of(named, given == null ? home : Path.of(given));
  }

  /**
   * Returns the folders that an environment sets.
   *
   * @param userHome parent of the folders that are not set
   */
  public static RemudaPaths of(Map<String, String> environment, Path userHome) {
    return of(environment, userHome, HERE.toAbsolutePath());
  }

  /**
   * Returns the folders that an environment sets.
   *
   * @param userHome parent of the folders that are not set
   * @param folder absolute path of the working folder, below which relative paths are
   */
  public static RemudaPaths of(Map<String, String> environment, Path userHome, Path folder) {
    return new RemudaPaths(
        given(environment, STATE, folder).orElse(userHome.resolve(".remuda")),
        given(environment, CACHE, folder)
            .or(
                () ->
                    given(environment, "XDG_CACHE_HOME", folder).map(dir -> dir.resolve("remuda")))
            .orElse(userHome.resolve(".cache").resolve("remuda")));
  }

  private static Optional<Path> given(Map<String, String> environment, String name, Path folder) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? Optional.empty() : Optional.of(folder.resolve(value));
  }

  /**
   * Creates both folders with mode 0700 and writes a file in each.
   *
   * @throws IOException naming the folder that cannot be used, or in which others could replace
   *     files
   */
  public void check() throws IOException {
    requirePrivate();
    writable("state folder", state, STATE);
    writable("cache folder", cache, CACHE);
  }

  /**
   * Rejects folders in which other users could change files.
   *
   * @throws IOException with advice
   */
  public void requirePrivate() throws IOException {
    FolderOwnershipCheck.requirePrivate(state, STATE);
    FolderOwnershipCheck.requirePrivate(cache, CACHE);
  }

  private static void writable(String what, Path folder, String variable) throws IOException {
    try {
      FolderOwnershipCheck.create(folder);
      Files.delete(Files.createTempFile(folder, ".write", ".check"));
    } catch (IOException fault) {
      throw new IOException(
          "cannot write in the "
              + what
              + " "
              + folder
              + " ("
              + fault.getClass().getSimpleName()
              + "): set "
              + variable
              + " to a folder of yours",
          fault);
    }
  }
}
