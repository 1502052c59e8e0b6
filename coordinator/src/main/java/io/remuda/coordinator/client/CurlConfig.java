package io.remuda.coordinator.client;

import io.remuda.coordinator.access.ServerAccessFile;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Configuration for {@code curl -K -}, with which curl trusts only the key of the pinned
 * certificate, and no token appears on a command line.
 */
public final class CurlConfig {

  private CurlConfig() {}

  /**
   * Returns the lines for one request.
   *
   * @param path path below the prefix of the interface, without quotes
   */
  public static List<String> lines(ServerAccessFile access, String path) throws IOException {
    ServerConnection.requireProof(access);
    List<String> lines = new ArrayList<>();
    lines.add("url = \"" + access.rest() + RestClient.PREFIX + path + "\"");
    lines.add("noproxy = \"*\"");
    if (!access.mayBeInsecure()) {
      lines.add("tlsv1.3");
      lines.add("# no authority has signed the certificate; its key is known");
      lines.add("insecure");
      List<String> keys = new ArrayList<>();
      for (String pin : access.pins()) {
        keys.add("sha256//" + keyHash(pin));
      }
      lines.add("pinnedpubkey = \"" + String.join(";", keys) + "\"");
    }
    lines.add("header = \"Authorization: Bearer " + access.token() + "\"");
    return lines;
  }

  private static String keyHash(String pem) throws IOException {
    try {
      byte[] key = PinnedTls.certificate(pem).getPublicKey().getEncoded();
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
    } catch (GeneralSecurityException fault) {
      throw new IOException("cannot use the server's certificate: " + fault.getMessage(), fault);
    }
  }
}
