package io.remuda.coordinator.access;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.settings.PrivateFileWriter;
import io.remuda.agent.settings.SecretFile;
import io.remuda.json.PlainJson;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The file with the secret of a cluster, {@code cluster.key}, equal on all its members.
 *
 * @param user the owner
 * @param token the owner's
 * @param name short name of the cluster, which stays when its key is renewed
 */
public record ClusterSecret(RotatingClusterKeys keys, String user, String token, String name) {

  /**
   * The content of the file. Earlier builds read {@code certificate} and {@code privateKey} alone.
   *
   * @param trusted a further certificate; null for none
   * @param next the key of {@code trusted}; null for none
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Content(
      int version,
      String certificate,
      String privateKey,
      String pin,
      String user,
      String token,
      List<String> trusted,
      AccessFile.NextKey next,
      String cluster) {}

  /** Returns the secret of a new cluster whose addresses its certificate does not name. */
  public static ClusterSecret create(String user, String token, Instant now)
      throws GeneralSecurityException {
    return create(user, token, List.of(), now);
  }

  /** Returns the secret of a new cluster with members on these hosts. */
  public static ClusterSecret create(
      String user, String token, Collection<String> hosts, Instant now)
      throws GeneralSecurityException {
    ClusterKey key = ClusterKey.create(user, hosts, now);
    return new ClusterSecret(
        new RotatingClusterKeys.Settled(key),
        user,
        token,
        AccessFile.nameOf(key.certificate().pem()));
  }

  /** Returns the secret after the next step of the renewal of its key. */
  public ClusterSecret renewed(Instant now) throws GeneralSecurityException {
    return new ClusterSecret(next(now), user, token, name);
  }

  private RotatingClusterKeys next(Instant now) throws GeneralSecurityException {
    if (keys instanceof RotatingClusterKeys.Announced announced) {
      return new RotatingClusterKeys.Replaced(announced.next(), announced.key().certificate());
    }
    return keys instanceof RotatingClusterKeys.Replaced replaced
        ? new RotatingClusterKeys.Settled(replaced.key())
        : new RotatingClusterKeys.Announced(
            keys.key(),
            ClusterKey.create(user + "-" + mark(), keys.key().certificate().hosts(), now));
  }

  /** Returns what tells the names of two keys apart: agents choose their key by it. */
  private static String mark() {
    return HexFormat.of().toHexDigits(new SecureRandom().nextInt());
  }

  /** Returns the access file of agents, by which the coordinators show and trust keys, too. */
  public AccessFile agents(List<String> contacts) {
    return new AccessFile(
        AccessFile.VERSION,
        contacts,
        keys.key().certificate().pem(),
        keys.key().privateKey(),
        trusted(),
        next(),
        name);
  }

  /** Returns the owner's access to coordinators, without a private key. */
  public ServerAccessFile owner(String rest, List<String> others) {
    return new ServerAccessFile(
        AccessFile.VERSION,
        null,
        null,
        null,
        rest,
        keys.key().certificate().pem(),
        null,
        user,
        token,
        others,
        trusted(),
        null,
        null);
  }

  private List<String> trusted() {
    List<String> trusted = keys.furtherTrusted().stream().map(ClusterCertificate::pem).toList();
    return trusted.isEmpty() ? null : trusted;
  }

  private AccessFile.NextKey next() {
    return keys instanceof RotatingClusterKeys.Announced announced
        ? new AccessFile.NextKey(
            announced.next().certificate().pem(), announced.next().privateKey())
        : null;
  }

  /** Writes the file atomically, with mode 0600. */
  public void write(Path file) throws IOException {
    String shown = keys.key().certificate().pem();
    Content content =
        new Content(
            AccessFile.VERSION,
            shown,
            keys.key().privateKey(),
            shown,
            user,
            token,
            trusted(),
            next(),
            name);
    PrivateFileWriter.write(
        file, PlainJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
  }

  /**
   * Reads the file; returns nothing if there is none.
   *
   * @throws IOException if it belongs to another user, is readable by others, or is damaged
   */
  public static Optional<ClusterSecret> read(Path file) throws IOException {
    Optional<byte[]> bytes = SecretFile.read(file);
    return bytes.isEmpty() ? Optional.empty() : Optional.of(parse(file, bytes.get()));
  }

  /**
   * Parses the content of the file.
   *
   * @param file for messages
   * @throws IOException if it is damaged
   */
  public static ClusterSecret parse(Path file, byte[] bytes) throws IOException {
    try {
      return of(PlainJson.MAPPER.readValue(bytes, Content.class));
    } catch (JsonProcessingException | GeneralSecurityException fault) {
      throw new IOException(file + " is damaged, or not the key of a cluster", fault);
    } catch (IOException fault) {
      throw new IOException(file + " is damaged: " + fault.getMessage(), fault);
    }
  }

  private static ClusterSecret of(Content content) throws GeneralSecurityException, IOException {
    if (content == null
        || content.certificate() == null
        || content.privateKey() == null
        || content.token() == null
        || content.user() == null) {
      throw new IOException("it is not the key of a cluster");
    }
    ClusterKey key = key(content.certificate(), content.privateKey());
    return new ClusterSecret(
        ring(key, content),
        content.user(),
        content.token(),
        content.cluster() == null ? AccessFile.nameOf(content.certificate()) : content.cluster());
  }

  private static RotatingClusterKeys ring(ClusterKey key, Content content)
      throws GeneralSecurityException, IOException {
    List<String> trusted = content.trusted() == null ? List.of() : content.trusted();
    if (trusted.size() > 1 || (content.next() != null && trusted.isEmpty())) {
      throw new IOException("it trusts too many certificates, or too few");
    }
    if (content.next() != null) {
      ClusterKey next = key(trusted.get(0), content.next().privateKey());
      return new RotatingClusterKeys.Announced(key, next);
    }
    return trusted.isEmpty()
        ? new RotatingClusterKeys.Settled(key)
        : new RotatingClusterKeys.Replaced(key, ClusterCertificate.parse(trusted.get(0)));
  }

  private static ClusterKey key(String certificate, String privateKey)
      throws GeneralSecurityException, IOException {
    if (certificate == null || privateKey == null) {
      throw new IOException("a key is not complete");
    }
    ClusterKey key = ClusterKey.of(certificate, privateKey);
    if (!key.isWhole()) {
      throw new IOException("a private key belongs to another certificate");
    }
    return key;
  }
}
