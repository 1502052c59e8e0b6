package io.remuda.coordinator.rest;

import io.remuda.coordinator.actor.Coordinator.Caller;
import io.remuda.coordinator.store.UserRow;
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
 * Who a bearer token names. Only hashes are kept; a token has 256 random bits, so its plain hash
 * cannot be turned back. Any thread.
 */
public final class BearerTokens {

  private static final int BYTES = 32;

  private final Map<String, Caller> byHash = new ConcurrentHashMap<>();
  private final Map<String, UserRow> users = new ConcurrentSkipListMap<>();
  private final SecureRandom random = new SecureRandom();

  /**
   * The tokens of known users.
   *
   * @param owner whose server this is; may do everything
   */
  public BearerTokens(Collection<UserRow> users, String owner) {
    users.forEach(user -> add(user, user.name().equals(owner)));
  }

  /** Lets the holder of the user's token in, if there is one; an earlier token is forgotten. */
  public void add(UserRow user, boolean mayAll) {
    byHash.values().removeIf(caller -> caller.user().equals(user.name()));
    users.put(user.name(), user);
    if (user.hasToken()) {
      byHash.put(user.tokenHash(), new Caller(user.name(), mayAll));
    }
  }

  /** All users that were not removed, by name. */
  public List<UserRow> users() {
    return users.values().stream().filter(user -> !user.isRemoved()).toList();
  }

  /** The user of this name, unless there is none or it was removed. */
  public Optional<UserRow> user(String name) {
    return Optional.ofNullable(users.get(name)).filter(user -> !user.isRemoved());
  }

  /** A new token, to be told to its user alone. */
  public String create() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** What is kept of a token. */
  public static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /** Who shows this token; nothing if nobody has it. */
  public Optional<Caller> callerOf(String token) {
    return Optional.ofNullable(byHash.get(hash(token)));
  }
}
