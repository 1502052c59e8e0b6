package io.remuda.coordinator.access;

import java.util.List;

/**
 * The keys of a member, for those who may not see them.
 *
 * @param shown fingerprint of the certificate that it shows
 * @param trusted fingerprints of the others that it trusts, too, while the key is renewed
 */
public record MemberKeyFingerprints(String shown, List<String> trusted) {

  public MemberKeyFingerprints {
    trusted = List.copyOf(trusted);
  }

  /** Returns what may be seen of keys. */
  public static MemberKeyFingerprints of(RotatingClusterKeys keys) {
    return new MemberKeyFingerprints(
        keys.key().certificate().fingerprint(),
        keys.furtherTrusted().stream().map(ClusterCertificate::fingerprint).toList());
  }

  @Override
  public String toString() {
    return trusted.isEmpty() ? shown : shown + ", trusts " + String.join(", ", trusted);
  }
}
