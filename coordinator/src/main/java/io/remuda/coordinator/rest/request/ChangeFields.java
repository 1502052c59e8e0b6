package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.api.JobTermsChange;
import io.remuda.coordinator.api.NewJob;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

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
    return change;
  }

  /**
   * Returns a change; null stands for none.
   *
   * @param words the job's program and arguments, by which a type is named
   * @throws IllegalArgumentException if a field is wrong; the message is for users
   */
  public static JobTermsChange of(JobRequest request, String user, List<String> words) {
    Map<String, Object> fields = request == null ? new LinkedHashMap<>() : given(request);
    Set<String> names = new TreeSet<>(fields.keySet());
    JobTermsChange.requireKnown(names);
    if (!fields.containsKey("argv") && !fields.containsKey("shell")) {
      fields.put("argv", words);
    }
    if (fields.containsKey("signal")) {
      fields.putIfAbsent("timeLimit", SOME_LIMIT);
    }
    NewJob wanted = request(fields).toNewJob(user, Map.of(), false);
    return new JobTermsChange(wanted, names);
  }

  /** Returns the fields that are given, by name. */
  private static Map<String, Object> given(JobRequest request) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (RecordComponent field : JobRequest.class.getRecordComponents()) {
      try {
        fields.put(field.getName(), field.getAccessor().invoke(request));
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    fields.values().removeIf(Objects::isNull);
    return fields;
  }

  private static JobRequest request(Map<String, Object> fields) {
    RecordComponent[] components = JobRequest.class.getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values =
        Stream.of(components).map(component -> fields.get(component.getName())).toArray();
    try {
      return JobRequest.class.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
