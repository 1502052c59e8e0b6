package io.remuda.coordinator.rest.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.remuda.coordinator.schedule.model.UserLimits;
import io.remuda.coordinator.store.row.UserRow;
import java.util.Collection;
import java.util.List;

/**
 * The users of the server.
 *
 * @param limits what each user may have at once who has no limits of their own
 */
public record UsersAnswer(List<User> users, Limits limits) {

  /**
   * A user.
   *
   * @param share of the cluster, beside the shares of others
   * @param owner whether it owns the server
   * @param hasToken whether it has an access file
   * @param limits the user's own, which count instead of those of all
   */
  public record User(String name, double share, boolean owner, boolean hasToken, Limits limits) {}

  /**
   * What one user may have at once; -1 for no limit, absent if not stated.
   *
   * @param cpus cores
   * @param running tasks
   * @param waiting jobs
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Limits(Long gpus, Double cpus, Long running, Long waiting) {

    private static final double MILLI = 1000;

    static Limits of(UserLimits limits) {
      Long cpus = limits.milliCpus();
      return new Limits(
          limits.gpus(),
          cpus == null ? null : cpus == UserLimits.NONE ? -1.0 : cpus / MILLI,
          limits.running(),
          limits.waiting());
    }
  }

  /**
   * @param owner name of the server's owner
   */
  public static UsersAnswer of(Collection<UserRow> rows, UserLimits ofAll, String owner) {
    return new UsersAnswer(
        rows.stream()
            .map(
                row ->
                    new User(
                        row.name(),
                        row.share(),
                        row.name().equals(owner),
                        row.hasToken(),
                        Limits.of(row.limits())))
            .toList(),
        Limits.of(ofAll));
  }
}
