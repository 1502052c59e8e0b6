package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectReader;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.jobfield.WorkRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a submission: one job, or {@code {"jobs": [...]}}. Unknown fields are errors. Jobs are
 * created while the body is parsed, so that messages name the position of a wrong job.
 */
public final class SubmissionReader {

  private static final String JOBS = "jobs";
  private static final String LIST = "a list of jobs is {\"jobs\": [...]} and nothing else";

  private final boolean autoGpuMem;

  /**
   * @param autoGpuMem see {@link JobRequest#toNewJob(String, Map, boolean)}
   */
  public SubmissionReader(boolean autoGpuMem) {
    this.autoGpuMem = autoGpuMem;
  }

  /**
   * Returns the jobs of a body.
   *
   * @throws IllegalArgumentException if a job is wrong; the message is for users
   */
  public List<NewJob> read(byte[] body, String user) {
    return RequestBodyParser.told(
        () -> {
          try (JsonParser in = RequestBodyParser.open(body)) {
            if (JOBS.equals(in.nextFieldName())) {
              return several(in, user);
            }
          }
          return List.of(one(body, user));
        });
  }

  private NewJob one(byte[] body, String user) {
    return made(RequestBodyParser.read(body, JobRequest.class), user, Map.of());
  }

  private List<NewJob> several(JsonParser in, String user) throws IOException {
    if (in.nextToken() != JsonToken.START_ARRAY) {
      throw new IllegalArgumentException(LIST);
    }
    ObjectReader reader = RequestBodyParser.reader(JobRequest.class);
    List<NewJob> jobs = new ArrayList<>();
    Map<String, Integer> positions = new HashMap<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (jobs.size() == RequestLimits.JOBS) {
        throw new IllegalArgumentException("a submission has 1 to " + RequestLimits.JOBS + " jobs");
      }
      NewJob job = next(in, reader, jobs.size(), user, positions);
      positions.put(job.name(), jobs.size());
      jobs.add(job);
    }
    if (jobs.isEmpty()) {
      throw new IllegalArgumentException("a submission has 1 to " + RequestLimits.JOBS + " jobs");
    }
    if (in.nextToken() != JsonToken.END_OBJECT) {
      throw new IllegalArgumentException(LIST);
    }
    RequestBodyParser.end(in);
    return jobs;
  }

  private NewJob next(
      JsonParser in,
      ObjectReader reader,
      int position,
      String user,
      Map<String, Integer> positions) {
    JobRequest request = null;
    try {
      if (!in.hasToken(JsonToken.START_OBJECT)) {
        throw new IllegalArgumentException("a job must be a JSON object");
      }
      request = RequestBodyParser.told(() -> reader.readValue(in));
      return made(request, user, positions);
    } catch (IllegalArgumentException wrong) {
      String name = request == null ? null : request.fields().get(WorkRows.NAME);
      throw new IllegalArgumentException(
          NewJob.said(position, name) + ": " + wrong.getMessage(), wrong);
    }
  }

  private NewJob made(JobRequest request, String user, Map<String, Integer> positions) {
    return request.toNewJob(user, positions, autoGpuMem);
  }
}
