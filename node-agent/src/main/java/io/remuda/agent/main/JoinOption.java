package io.remuda.agent.main;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.protocol.AccessFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The value of {@code --join}: an access file, or the address of a coordinator, used with the
 * user's own access file.
 *
 * @param file the access file
 * @param contact address that replaces those in the file, or null
 */
record JoinOption(Path file, String contact) {

  private static final String NAME = "access.json";

  /**
   * Returns the target that a value names.
   *
   * @param text the value; null for the access file in the state folder
   */
  static JoinOption of(String text, Caller caller) {
    return text == null
        ? new JoinOption(caller.paths().state().resolve(NAME), null)
        : parse(text, caller);
  }

  private static JoinOption parse(String text, Caller caller) {
    boolean address =
        text.matches("[^/]+:\\d{1,5}") && !Files.exists(caller.resolve(Path.of(text)));
    return address
        ? new JoinOption(caller.paths().state().resolve(NAME), text)
        : new JoinOption(caller.absolute(Path.of(text)), null);
  }

  AccessFile read() throws IOException {
    return AccessFile.read(file);
  }

  /**
   * Returns the file that the agent reads when it dials. With another contact it is a copy in the
   * agent's folder.
   */
  Path fileFor(Path folder) throws IOException {
    if (contact == null) {
      return file;
    }
    Path own = folder.resolve(NAME);
    read().withContacts(List.of(contact)).write(own);
    return own;
  }
}
