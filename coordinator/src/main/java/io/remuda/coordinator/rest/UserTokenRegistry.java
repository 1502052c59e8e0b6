package io.remuda.coordinator.rest;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.store.row.UserRow;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The users and their bearer tokens. Only hashes of tokens are kept; a token has 256 random bits,
 * so its plain hash cannot be reversed. Thread-safe.
 */
public final class UserTokenRegistry {

  /** The reader of metrics, who is in the state beside the users and is none. */
  static final String METRICS = "@metrics";

  /**
   * Stands before the hash of the token for metrics, so that a build that does not know it, and
   * takes it for a user's, finds no token that belongs to it.
   */
  private static final String METRICS_HASH = "metrics:";

  private static final int BYTES = 32;

  private final Map<String, Caller> byHash = new ConcurrentHashMap<>();
  private final Map<String, UserRow> users = new ConcurrentSkipListMap<>();
  private volatile String ofMetrics = ""; // hash of the token that reads metrics alone, or empty
  private final SecureRandom random = new SecureRandom();

  /**
   * @param users all known users
   * @param owner the owner of this server, who may do everything
   */
  public UserTokenRegistry(Collection<UserRow> users, String owner) {
    users.forEach(user -> add(user, user.name().equals(owner)));
  }

  /** Adds or replaces a user; only the token of {@code user}, if there is one, is valid. */
  public void add(UserRow user, boolean mayAll) {
    if (user.name().equals(METRICS)) {
      ofMetrics =
          user.tokenHash().startsWith(METRICS_HASH)
              ? user.tokenHash().substring(METRICS_HASH.length())
              : "";
      return;
    }
    byHash.values().removeIf(caller -> caller.user().equals(user.name()));
    users.put(user.name(), user);
    if (user.hasToken()) {
      byHash.put(user.tokenHash(), new Caller(user.name(), mayAll));
    }
  }

  /** Returns the users that were not removed, by name. */
  public List<UserRow> users() {
    return users.values().stream().filter(user -> !user.isRemoved()).toList();
  }

  /** Returns the user of a name, unless there is none or the user was removed. */
  public Optional<UserRow> user(String name) {
    return Optional.ofNullable(users.get(name)).filter(user -> !user.isRemoved());
  }

  /** Returns the limits of all users. */
  public UserLimits limitsOfAll() {
    UserRow ofAll = users.get(UserLimits.ALL_USERS);
    return ofAll == null ? UserLimits.USUAL : ofAll.limits();
  }

  /** Returns whether a caller whose token was checked elsewhere is still a user. */
  public boolean knows(Caller caller) {
    return caller.mayAll() || user(caller.user()).isPresent();
  }

  /** Returns a new token, which must be disclosed only to its user. */
  public String create() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the hash of a token, in the form in which it is stored. */
  public static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** Returns the caller with this token; nothing if it is invalid. */
  public Optional<Caller> callerOf(String token) {
    return Optional.ofNullable(byHash.get(hash(token)));
  }

  /** Returns who may read metrics with this token: a user, or the reader of metrics alone. */
  Optional<Caller> readerOf(String token) {
    String hash = hash(token);
    Caller user = byHash.get(hash);
    return user == null && hash.equals(ofMetrics)
        ? Optional.of(new Caller(METRICS, false))
        : Optional.ofNullable(user);
  }

  /** Returns whether a caller whose token was checked elsewhere may still read metrics. */
  boolean mayReadMetrics(Caller caller) {
    return knows(caller) || (caller.user().equals(METRICS) && hasMetricsToken());
  }

  /** Returns whether there is a token that reads metrics alone. */
  boolean hasMetricsToken() {
    return !ofMetrics.isEmpty();
  }

  /**
   * Returns the row of the reader of metrics.
   *
   * @param token the only one that is valid from then on, or null for none
   */
  static UserRow metricsReader(String token) {
    return new UserRow(METRICS, 1, token == null ? UserRow.REMOVED : METRICS_HASH + hash(token));
  }

  /** Returns the row that makes the token for metrics invalid, if there is one. */
  public Optional<UserRow> metricsReaderWithoutToken() {
    return hasMetricsToken() ? Optional.of(metricsReader(null)) : Optional.empty();
  }
}
