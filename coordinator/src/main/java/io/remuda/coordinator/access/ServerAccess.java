package io.remuda.coordinator.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.settings.OwnFiles;
import io.remuda.agent.settings.OwnFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A job service's {@code access.json}: all of an agent's access file, and what the command line
 * needs. A file that {@code user add} makes has only the latter. Mode 0600, always.
 *
 * @param version of this file's layout
 * @param contacts where agents dial, or null in a user's file
 * @param certificate of the cluster, PEM, or null
 * @param privateKey of the cluster, PEM, or null
 * @param rest address of the HTTP interface, as {@code https://127.0.0.1:4711}
 * @param pin certificate of the HTTP interface, PEM, or null for plain HTTP
 * @param insecure whether tokens may go there in clear text, since the server was told so; null for
 *     no. A file of a build that knew no better names plain HTTP without it
 * @param user whom the token names
 * @param token of the user
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServerAccess(
    int version,
    List<String> contacts,
    String certificate,
    String privateKey,
    String rest,
    String pin,
    Boolean insecure,
    String user,
    String token) {

  /** Its name in the state folder. */
  public static final String FILE = "access.json";

  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /** What an ordinary user is given. */
  public ServerAccess forUser(String name, String secret) {
    return new ServerAccess(version, null, null, null, rest, pin, insecure, name, secret);
  }

  /** Whether its server takes tokens in clear text because it was told to. */
  @JsonIgnore
  public boolean isInsecure() {
    return Boolean.TRUE.equals(insecure) && isClearText();
  }

  /** Whether it is of a build that sent tokens in clear text to whatever listened on the port. */
  @JsonIgnore
  public boolean isOfOlderBuild() {
    return isClearText() && !isInsecure();
  }

  /** Whether its token was sent in clear text, by whatever build. */
  @JsonIgnore
  public boolean isClearText() {
    return rest != null && !isTls();
  }

  private boolean isTls() {
    return rest != null && rest.startsWith("https://") && pin != null;
  }

  /** Whether it is its owner's, who may start that server. */
  @JsonIgnore
  public boolean isOwners() {
    return privateKey != null;
  }

  /** Writes the file in one step with mode 0600. */
  public void write(Path file) throws IOException {
    OwnFiles.write(
        file,
        JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
  }

  /**
   * Reads it; nothing if there is none.
   *
   * @throws IOException if it is another user's, readable by others, or damaged
   */
  public static Optional<ServerAccess> read(Path file) throws IOException {
    Set<PosixFilePermission> permissions;
    try {
      permissions = Files.getPosixFilePermissions(file);
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
    OwnFolders.requireOwnFile(file);
    if (!OWNER_ONLY.containsAll(permissions)) {
      throw new IOException(
          file
              + " may be used by others ("
              + PosixFilePermissions.toString(permissions)
              + "): chmod 600 it");
    }
    try {
      return Optional.of(JsonMapper.builder().build().readValue(file.toFile(), ServerAccess.class));
    } catch (JsonProcessingException fault) {
      throw new IOException(file + " is damaged or no access file", fault);
    }
  }
}
