package io.remuda.coordinator.rest.request;

import static io.remuda.coordinator.jobfield.NeedsRows.GPU_MEM;
import static io.remuda.coordinator.jobfield.NeedsRows.SHARE_IF;
import static io.remuda.coordinator.jobfield.SubmissionRows.HOLD;
import static io.remuda.coordinator.jobfield.TimeRows.SIGNAL;
import static io.remuda.coordinator.jobfield.TimeRows.TIME_LIMIT;
import static io.remuda.coordinator.jobfield.WorkRows.ARGV;
import static io.remuda.coordinator.jobfield.WorkRows.SHELL;

import io.remuda.coordinator.api.JobTermsChange;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.jobfield.FieldValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads the fields of a job that is there already, in place of its own. */
public final class ChangeFields {

  /** Longer than the lead of any signal, which is compared with the job's own limit later. */
  private static final String SOME_LIMIT = "5000w";

  private static final List<String> ANY_COMMAND = List.of("true");

  private ChangeFields() {}

  /**
   * Returns the change of a body that has only such fields.
   *
   * @throws IllegalArgumentException if there is none, or one is wrong; the message is for users
   */
  public static JobTermsChange read(byte[] body, String user) {
    JobTermsChange change = of(RequestBodyParser.read(body, JobRequest.class), user, ANY_COMMAND);
    if (change.fields().isEmpty()) {
      throw new IllegalArgumentException("nothing is to be changed: give a field of the job");
    }
    if (change.fields().contains(HOLD.name())) {
      throw new IllegalArgumentException(
          "hold is not a term of a job: hold or release the job in place of changing it");
    }
    return change;
  }

  /**
   * Returns a change; null stands for none.
   *
   * @param words the job's program and arguments, by which a type is named
   * @throws IllegalArgumentException if a field is wrong; the message is for users
   */
  public static JobTermsChange of(JobRequest request, String user, List<String> words) {
    Map<String, Object> fields =
        new LinkedHashMap<>(request == null ? Map.of() : request.fields().all());
    Set<String> names = new TreeSet<>(fields.keySet());
    JobTermsChange.requireKnown(names);
    if (!fields.containsKey(ARGV.name()) && !fields.containsKey(SHELL.name())) {
      fields.put(ARGV.name(), words);
    }
    if (fields.containsKey(SIGNAL.name())) {
      fields.putIfAbsent(TIME_LIMIT.name(), SOME_LIMIT);
    }
    if (fields.containsKey(SHARE_IF.name())) {
      fields.putIfAbsent(GPU_MEM.name(), JobRequest.AUTO); // the job's own is checked with it later
    }
    NewJob wanted = new JobRequest(new FieldValues(fields)).toNewJob(user, Map.of(), false);
    return new JobTermsChange(wanted, names);
  }
}
