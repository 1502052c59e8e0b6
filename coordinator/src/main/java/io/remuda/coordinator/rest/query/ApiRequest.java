package io.remuda.coordinator.rest.query;

import io.remuda.coordinator.api.CoordinatorCommand.Caller;
import io.remuda.worker.job.JobId;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.Query;

/**
 * A request of a route.
 *
 * @param caller who asks; null for routes that anyone may use
 * @param http the whole request
 * @param values of the parameters in its path
 * @param query its parameters
 * @param body empty for a route that reads none
 * @param forwarded whether another member passes it on
 */
public record ApiRequest(
    Caller caller,
    HttpRequest http,
    List<String> values,
    Query query,
    byte[] body,
    boolean forwarded) {

  /** Returns a request with the parameters of its query. */
  public static ApiRequest of(
      Caller caller, HttpRequest http, List<String> values, byte[] body, boolean forwarded) {
    return new ApiRequest(caller, http, values, http.getUri().query(), body, forwarded);
  }

  /**
   * Returns the number of a job or a lease, the first in the path.
   *
   * @throws IllegalArgumentException for 0
   */
  public JobId job() {
    return new JobId(Long.parseLong(values.get(0)));
  }

  /** Returns the index of a task, the second parameter in the path. */
  public int task() {
    return Integer.parseInt(values.get(1));
  }

  /** Returns a text, the first parameter in the path. */
  public String name() {
    return values.get(0);
  }

  /** Returns a parameter of the query. */
  public Optional<String> query(String parameter) {
    return query.get(parameter);
  }

  /** Returns whether the query has a parameter. */
  public boolean has(String parameter) {
    return query(parameter).isPresent();
  }

  /**
   * Returns the reason of a change, or null if none is given.
   *
   * @throws IllegalArgumentException if it is empty, too long or not printable
   */
  public String reason() {
    return QueryParameters.reason(query("reason"));
  }
}
