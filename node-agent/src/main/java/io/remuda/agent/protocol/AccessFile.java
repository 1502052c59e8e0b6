package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.settings.PrivateFileWriter;
import io.remuda.agent.settings.SecretFile;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The data needed to join a cluster: the addresses of the coordinators, and the cluster's
 * certificate and private key. It allows running commands on every node, so it is created with mode
 * 0600 and rejected if other users may read it.
 *
 * @param version version of this file format
 * @param contacts {@code HOST:PORT} of each coordinator
 * @param certificate PEM
 * @param privateKey PEM, PKCS 8
 * @param trusted certificates, PEM, that are trusted besides {@code certificate}, while the
 *     cluster's key is renewed; null for none
 * @param next the key that follows, which is shown to a coordinator that accepts only that one;
 *     null for none
 * @param cluster short name of the cluster, which stays when its key is renewed; null in files of
 *     earlier builds, and then made from the certificate
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AccessFile(
    int version,
    List<String> contacts,
    String certificate,
    String privateKey,
    List<String> trusted,
    NextKey next,
    String cluster) {

  /** A key that follows: its certificate and private key, both PEM. */
  public record NextKey(String certificate, String privateKey) {}

  /** The format version that this build writes. */
  public static final int VERSION = 1;

  private static final int LAST_PORT = 65_535;

  /** Also the name of a folder on other machines. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]{1,32}");

  public AccessFile {
    contacts = List.copyOf(contacts);
    trusted = trusted == null ? null : List.copyOf(trusted);
    cluster = cluster == null && certificate != null ? nameOf(certificate) : cluster;
  }

  /** Creates the content of a file that trusts one certificate, which also names the cluster. */
  public AccessFile(int version, List<String> contacts, String certificate, String privateKey) {
    this(version, contacts, certificate, privateKey, null, null, null);
  }

  /** Returns a copy with other coordinator addresses. */
  public AccessFile withContacts(List<String> others) {
    return new AccessFile(version, others, certificate, privateKey, trusted, next, cluster);
  }

  /** Returns a short name of the cluster that began with this certificate. */
  public static String nameOf(String certificate) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(certificate.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest, 0, 4);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** Writes the file atomically with mode 0600. */
  public void write(Path file) throws IOException {
    PrivateFileWriter.write(file, text().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the content of the file. */
  public String text() throws JsonProcessingException {
    return PlainJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(this);
  }

  /**
   * Reads an access file.
   *
   * @throws IOException if it is missing, accessible to others, damaged, or of another version
   */
  public static AccessFile read(Path file) throws IOException {
    SecretFile.requireOwnerOnly(file);
    AccessFile access = parse(file);
    if (access.version != VERSION) {
      throw new IOException(
          file + " has version " + access.version + ", this build reads version " + VERSION);
    }
    Optional<String> fault = access.fault();
    if (fault.isPresent()) {
      throw new IOException(file + " is not an access file: " + fault.get());
    }
    return access;
  }

  private static AccessFile parse(Path file) throws IOException {
    try {
      AccessFile access =
          JsonMapper.builder()
              .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
              .build()
              .readValue(file.toFile(), AccessFile.class);
      if (access == null) {
        throw new IOException(file + " is not an access file: it is empty");
      }
      return access;
    } catch (JsonProcessingException fault) {
      throw new IOException(
          file + " is not an access file that a coordinator wrote: it is damaged or incomplete",
          fault);
    }
  }

  /** Returns what prevents an agent from dialling; empty if nothing does. */
  private Optional<String> fault() {
    if (contacts.isEmpty()) {
      return Optional.of("it has no contacts");
    }
    for (String contact : contacts) {
      if (!isContact(contact)) {
        return Optional.of("a contact is HOST:PORT, got '" + contact + "'");
      }
    }
    if (certificate == null || privateKey == null) {
      return Optional.of("it has no certificate or no key");
    }
    if (next != null && (next.certificate() == null || next.privateKey() == null)) {
      return Optional.of("its next key is not complete");
    }
    return NAME.matcher(cluster).matches()
        ? Optional.empty()
        : Optional.of("the cluster's name is letters and digits, got '" + cluster + "'");
  }

  private static boolean isContact(String contact) {
    return contact.matches(".+:\\d{1,5}")
        && Integer.parseInt(contact.substring(contact.lastIndexOf(':') + 1)) <= LAST_PORT;
  }
}
