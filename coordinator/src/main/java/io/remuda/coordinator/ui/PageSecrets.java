package io.remuda.coordinator.ui;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * What a browser must show. A code in a link is good for one browser, which gets a cookie for it
 * and a key. Both are asked for: browsers send a cookie to every port of a host, so that programs
 * of others on this machine may see it; the key is known to the page alone, and is no cookie. Any
 * thread.
 */
final class PageSecrets {

  private static final int BYTES = 24;
  private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

  private final SecureRandom random = new SecureRandom();
  private final String cookie = secret();
  private final String key = secret();
  private String code = secret(); // guarded by this

  private String secret() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return TEXT.encodeToString(bytes);
  }

  /** Returns the code that no browser has used yet. */
  synchronized String code() {
    return code;
  }

  /** Returns whether a code is the one of the last link, which is good for nobody afterwards. */
  synchronized boolean use(String shown) {
    if (!equal(code, shown)) {
      return false;
    }
    code = secret();
    return true;
  }

  /** Returns the value of the cookie. */
  String cookie() {
    return cookie;
  }

  /** Returns what the page sends with each of its requests. */
  String key() {
    return key;
  }

  /** Returns whether a request is the page's, of the browser that has opened the link. */
  boolean areShown(Optional<String> shownCookie, Optional<String> shownKey) {
    return isCookie(shownCookie) && shownKey.filter(value -> equal(key, value)).isPresent();
  }

  /** Returns whether a browser has opened a link before. */
  boolean isCookie(Optional<String> shown) {
    return shown.filter(value -> equal(cookie, value)).isPresent();
  }

  /** Takes as long whatever the difference is. */
  private static boolean equal(String secret, String shown) {
    return MessageDigest.isEqual(
        secret.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
  }
}
