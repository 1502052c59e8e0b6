package io.remuda.coordinator.rest.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.profile.PairSpeeds;
import io.remuda.coordinator.profile.Profile;
import io.remuda.coordinator.store.row.ProfileRow;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfilesAnswerTest {
  private static final JobType TRAIN = new JobType("ann", "train");
  private static final JobType EVAL = new JobType("bob", "eval");

  private static ProfileRow halfAsFastBeside(JobType type, JobType other) {
    return new ProfileRow(
        Profile.unknown(type)
            .took(PairSpeeds.Run.alone("H200", 9000))
            .took(new PairSpeeds.Run("H200", 18_000, 0, other, 1, 1)),
        0);
  }

  private static final List<ProfileRow> ROWS =
      List.of(halfAsFastBeside(TRAIN, EVAL), halfAsFastBeside(EVAL, TRAIN));

  @Test
  void the_owner_of_the_server_sees_all() {
    assertEquals(2, ProfilesAnswer.of(ROWS, new Caller("root", true)).profiles().size());
  }

  @Test
  void runs_without_use_are_shown() {
    ProfileRow row = new ProfileRow(Profile.unknown(TRAIN).unused(1), 0);
    JobTypeProfileAnswer seen =
        ProfilesAnswer.of(List.of(row), new Caller("ann", false)).profiles().get(0);
    assertEquals(1, seen.unusedRuns());
    assertEquals(1, seen.runs());
  }

  private static Integer nearlyAll(Profile profile) {
    List<ProfileRow> rows = List.of(new ProfileRow(profile, 0));
    return ProfilesAnswer.of(rows, new Caller("ann", false)).profiles().get(0).nearlyAllPercent();
  }

  @Test
  void a_type_that_took_nearly_all_of_a_device_is_shown_with_how_much() {
    Profile small = Profile.unknown(TRAIN).ran(67, 84, null, 1);
    assertNull(nearlyAll(small));
    Profile large = small.ran(72, 90, null, 1);
    assertEquals(90, nearlyAll(large));
    for (int run = 1; run < 20; run++) {
      large = large.ran(1, 1, null, 1);
    }
    assertEquals(90, nearlyAll(large), "as long as that run counts");
    assertNull(nearlyAll(large.ran(1, 1, null, 1)));
    assertNull(nearlyAll(Profile.unknown(TRAIN)));
  }

  @Test
  void a_user_sees_with_whose_types_their_own_do_not_share() {
    List<JobTypeProfileAnswer> seen = ProfilesAnswer.of(ROWS, new Caller("ann", false)).profiles();
    assertEquals(List.of("train"), seen.stream().map(JobTypeProfileAnswer::type).toList());
    assertEquals(
        List.of(new JobTypeProfileAnswer.SlowPair("eval", "bob", 100)), seen.get(0).slowWith());
  }
}
