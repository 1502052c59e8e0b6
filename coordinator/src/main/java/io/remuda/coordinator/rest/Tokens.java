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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who a bearer token names. Only hashes are kept; a token has 256 random bits, so its plain hash
 * cannot be turned back. Any thread.
 */
public final class Tokens {

  private static final int BYTES = 32;

  private final Map<String, Caller> byHash = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();

  /**
   * The tokens of known users.
   *
   * @param owner whose server this is; may do everything
   */
  public Tokens(Collection<UserRow> users, String owner) {
    users.forEach(user -> add(user, user.name().equals(owner)));
  }

  /** Lets the holder of the user's token in; an earlier token of his is forgotten. */
  public void add(UserRow user, boolean mayAll) {
    byHash.values().removeIf(caller -> caller.user().equals(user.name()));
    byHash.put(user.tokenHash(), new Caller(user.name(), mayAll));
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
