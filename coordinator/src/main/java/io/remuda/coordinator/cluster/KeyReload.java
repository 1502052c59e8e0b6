package io.remuda.coordinator.cluster;

import io.remuda.agent.settings.SecretFile;
import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.MemberKeyFingerprints;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Takes up a new key from the cluster's file while the member runs, and writes the member's access
 * file with it. Blocks; of one thread.
 */
public final class KeyReload {

  private final LocalMemberConfig member;
  private final Path access;

  /** What the file had when it was taken up last; null before the first look. */
  private byte[] known;

  private String trouble = "";
  private boolean told;

  /**
   * @param access the member's access file
   */
  public KeyReload(LocalMemberConfig member, Path access) {
    this.member = member;
    this.access = access;
  }

  /**
   * Reads the file, and takes it up if it has other keys. One that cannot be used leaves all as it
   * was. It is reported at the second look, because a copy may be under way at the first.
   *
   * @return what is to be told, once
   */
  public Optional<String> look() {
    try {
      byte[] content =
          SecretFile.read(member.secretFile())
              .orElseThrow(() -> new IOException(member.secretFile() + " is missing"));
      Optional<String> news =
          Arrays.equals(content, known)
              ? Optional.empty()
              : takeUp(ClusterSecret.parse(member.secretFile(), content));
      known = content;
      trouble = "";
      return news;
    } catch (IOException | GeneralSecurityException fault) {
      return told(fault.getMessage() + ": this coordinator keeps the key that it has");
    }
  }

  private Optional<String> takeUp(ClusterSecret found)
      throws IOException, GeneralSecurityException {
    ClusterSecret present = member.secret().get();
    if (found.equals(present)) {
      return Optional.empty();
    }
    if (!found.token().equals(present.token()) || !found.user().equals(present.user())) {
      throw new IOException(
          member.secretFile() + " is another cluster's, or has another owner or token");
    }
    MemberAccessFile.of(member, found).write(access); // first: if it fails, the next look does all
    member.secret().renew(found);
    return Optional.of(
        "this coordinator now shows the key " + MemberKeyFingerprints.of(found.keys()));
  }

  private Optional<String> told(String fault) {
    boolean again = fault.equals(trouble);
    boolean first = again && !told;
    told = again;
    trouble = fault;
    return first ? Optional.of(fault) : Optional.empty();
  }
}
