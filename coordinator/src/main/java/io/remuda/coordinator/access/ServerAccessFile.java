package io.remuda.coordinator.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.PrivateFileWriter;
import io.remuda.agent.settings.SecretFile;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A job service's {@code access.json}: an agent's access file and the fields of the command line. A
 * file that {@code user add} creates has only the latter. Its mode is always 0600.
 *
 * @param version version of the file's layout
 * @param contacts addresses that agents dial, or null in a user's file
 * @param certificate certificate of the cluster, PEM, or null
 * @param privateKey private key of the cluster, PEM, or null
 * @param rest address of the HTTP interface, for example {@code https://127.0.0.1:4711}
 * @param pin certificate of the HTTP interface, PEM, or null for plain HTTP
 * @param insecure whether the owner has allowed tokens in clear text; null for no. Files of old
 *     builds have a plain HTTP address without it
 * @param user user of the token
 * @param token the user's token
 * @param others addresses of the HTTP interfaces of the cluster's other coordinators, which have
 *     the same certificate; null for none
 * @param trusted certificates, PEM, that are trusted too while the cluster's key is renewed; null
 *     for none
 * @param next the key that follows; null for none
 * @param cluster short name of the cluster; null if the certificate says it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServerAccessFile(
    int version,
    List<String> contacts,
    String certificate,
    String privateKey,
    String rest,
    String pin,
    Boolean insecure,
    String user,
    String token,
    List<String> others,
    List<String> trusted,
    AccessFile.NextKey next,
    String cluster) {

  /** Its name in the state folder. */
  public static final String FILE = "access.json";

  /** Creates the access to a server that is the only coordinator. */
  public ServerAccessFile(
      int version,
      List<String> contacts,
      String certificate,
      String privateKey,
      String rest,
      String pin,
      Boolean insecure,
      String user,
      String token) {
    this(
        version,
        contacts,
        certificate,
        privateKey,
        rest,
        pin,
        insecure,
        user,
        token,
        null,
        null,
        null,
        null);
  }

  /** Returns the access file for an ordinary user. */
  public ServerAccessFile forUser(String name, String secret) {
    return new ServerAccessFile(
        version, null, null, null, rest, pin, insecure, name, secret, others, trusted, null, null);
  }

  /** Returns the access to the same cluster by way of another of its coordinators. */
  public ServerAccessFile at(String address) {
    return new ServerAccessFile(
        version,
        contacts,
        certificate,
        privateKey,
        address,
        pin,
        insecure,
        user,
        token,
        null,
        trusted,
        next,
        cluster);
  }

  /** Returns the certificates of which the server must show one; none if it has no TLS. */
  public List<String> pins() {
    Set<String> all = new LinkedHashSet<>();
    if (pin != null) {
      all.add(pin);
      all.addAll(trusted == null ? List.of() : trusted);
    }
    return List.copyOf(all);
  }

  /** Returns the accesses by way of each coordinator, this one first. */
  public List<ServerAccessFile> all() {
    List<ServerAccessFile> all = new ArrayList<>(List.of(this));
    if (others != null && isTls()) { // a token in clear text goes to one address alone
      others.stream()
          .filter(other -> other.startsWith("https://"))
          .forEach(other -> all.add(at(other)));
    }
    return all;
  }

  /** Returns whether tokens are sent in clear text because the server's owner has allowed it. */
  @JsonIgnore
  public boolean mayBeInsecure() {
    return Boolean.TRUE.equals(insecure) && isClearText();
  }

  /** Returns whether it is of a build that sent tokens in clear text to any program on the port. */
  @JsonIgnore
  public boolean isOfOlderBuild() {
    return isClearText() && !mayBeInsecure();
  }

  /** Returns whether its token was sent in clear text, by any build. */
  @JsonIgnore
  public boolean isClearText() {
    return rest != null && !isTls();
  }

  private boolean isTls() {
    return rest != null && rest.startsWith("https://") && pin != null;
  }

  /** Returns whether it belongs to the server's owner, who may start the server. */
  @JsonIgnore
  public boolean isOwners() {
    return privateKey != null;
  }

  /** Writes the file atomically, with mode 0600. */
  public void write(Path file) throws IOException {
    PrivateFileWriter.write(
        file, PlainJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
  }

  /**
   * Reads the file; returns nothing if there is none.
   *
   * @throws IOException if it belongs to another user, is readable by others, or is damaged
   */
  public static Optional<ServerAccessFile> read(Path file) throws IOException {
    Optional<byte[]> bytes = SecretFile.read(file);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(PlainJson.MAPPER.readValue(bytes.get(), ServerAccessFile.class));
    } catch (JsonProcessingException fault) {
      throw new IOException(file + " is damaged or not an access file", fault);
    }
  }
}
