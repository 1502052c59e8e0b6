package io.remuda.coordinator.rest.answer;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.Profiles;
import io.remuda.coordinator.store.row.ProfileRow;
import java.util.List;
import java.util.Map;

/** Types of jobs: the caller's, or all for the owner. */
public record ProfilesAnswer(List<JobTypeProfileAnswer> profiles) {

  /**
   * @param rows the profiles of all users
   */
  public static ProfilesAnswer of(List<ProfileRow> rows, Caller caller) {
    Profiles all = new Profiles();
    all.restore(rows.stream().map(ProfileRow::profile).toList());
    Map<JobType, Map<JobType, Integer>> slow = all.slowTogether();
    return new ProfilesAnswer(
        rows.stream()
            .filter(row -> !row.profile().isOfTimesOnly())
            .filter(row -> caller.mayActFor(row.profile().type().user()))
            .map(
                row ->
                    JobTypeProfileAnswer.of(
                        row, slow.getOrDefault(row.profile().type(), Map.of()), all::of))
            .toList());
  }
}
