package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * How the tasks of a job belong together, in a {@link JobRequest}; {@code true} stands for all
 * defaults.
 *
 * @param failure fail, restart or ignore: what becomes of the others when a member fails; fail by
 *     default, restart for a job with retries
 * @param mixed whether they may have GPUs of different models
 * @param together whether all start together or none; true by default
 * @param roles kinds of members by name, in the order of their ranks
 */
public record GangRequest(
    String failure, Boolean mixed, Boolean together, Map<String, GangRoleRequest> roles) {

  @JsonCreator
  public GangRequest(
      @JsonProperty("failure") String failure,
      @JsonProperty("mixed") Boolean mixed,
      @JsonProperty("together") Boolean together,
      @JsonProperty("roles") Map<String, GangRoleRequest> roles) {
    this.failure = failure;
    this.mixed = mixed;
    this.together = together;
    this.roles = roles;
  }

  /** Reads {@code true} or {@code false}. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static GangRequest of(boolean gang) {
    return gang ? new GangRequest(null, null, null, null) : null;
  }
}
