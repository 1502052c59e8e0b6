package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.store.row.UserRow;
import java.util.Collection;
import java.util.List;

/** The users of the server. */
public record UsersAnswer(List<User> users) {

  /**
   * A user.
   *
   * @param share of the cluster, beside the shares of others
   * @param owner whether it owns the server
   * @param hasToken whether it has an access file
   */
  public record User(String name, double share, boolean owner, boolean hasToken) {}

  /**
   * @param owner name of the server's owner
   */
  public static UsersAnswer of(Collection<UserRow> rows, String owner) {
    return new UsersAnswer(
        rows.stream()
            .map(row -> new User(row.name(), row.share(), row.name().equals(owner), row.hasToken()))
            .toList());
  }
}
