package io.remuda.coordinator.route;

import static io.remuda.coordinator.route.ApiRoute.Body.LARGE;
import static io.remuda.coordinator.route.ApiRoute.Body.NONE;
import static io.remuda.coordinator.route.ApiRoute.Body.SMALL;
import static io.remuda.coordinator.route.ApiRoute.Place.HERE;
import static io.remuda.coordinator.route.ApiRoute.Place.LEADER;
import static io.remuda.coordinator.route.ApiRoute.Place.MEMBER;
import static io.remuda.coordinator.route.ApiRoute.Repeat.UNLESS_SIGNAL;
import static io.remuda.coordinator.route.ApiRoute.Repeat.WITH_KEYS;
import static io.remuda.coordinator.route.ApiRoute.Repeat.WITH_STATE;
import static io.remuda.coordinator.route.ApiRoute.Repeat.YES;
import static io.remuda.coordinator.route.ApiRoute.Right.ANYONE;
import static io.remuda.coordinator.route.ApiRoute.Right.METRICS;
import static io.remuda.coordinator.route.ApiRoute.Right.USER;
import static io.remuda.coordinator.route.ApiRoute.Right.owner;

/**
 * The table of the routes: method, path below {@code /api/v1}, where a request is answered, what is
 * read of its body, who may send it, and whether it may be sent again without an answer to the
 * first one. A row that does not say so is not repeated. The classes of {@code rest} give each row
 * its handler.
 *
 * <p>In a path, {@code id} and {@code index} are numbers, and other parameters any text.
 */
public enum ApiRoute {
  VERSION("GET", "/version", HERE, NONE, ANYONE, YES),
  OPEN_API("GET", "/openapi.json", HERE, NONE, ANYONE, YES),
  READY("GET", "/ready", HERE, NONE, ANYONE, YES),
  METRICS_PAGE("GET", "/metrics", HERE, NONE, METRICS, YES),
  DCGM_PAGE("GET", "/metrics/dcgm", HERE, NONE, METRICS, YES),

  JOBS("GET", "/jobs", MEMBER, NONE, USER, YES),
  SUBMIT("POST", "/jobs", LEADER, LARGE, USER, WITH_KEYS),
  CHANGE_JOBS("POST", "/jobs/change", LEADER, LARGE, USER, WITH_STATE),
  JOB("GET", "/jobs/{id}", MEMBER, NONE, USER, YES),
  TASKS("GET", "/jobs/{id}/tasks", MEMBER, NONE, USER, YES),
  EXPLAIN("GET", "/jobs/{id}/explain", LEADER, NONE, USER, YES),
  WAITING("GET", "/jobs/{id}/waiting", LEADER, NONE, USER, YES),
  LOGS("GET", "/jobs/{id}/logs", LEADER, NONE, USER, YES),
  OUTPUT("GET", "/jobs/{id}/output", HERE, NONE, USER, YES),
  JOB_EVENTS("GET", "/jobs/{id}/events", HERE, NONE, USER, YES),
  CHANNEL("POST", "/jobs/{id}/channel", LEADER, SMALL, USER, UNLESS_SIGNAL),
  SIGNAL("POST", "/jobs/{id}/signal", LEADER, NONE, USER),
  CANCEL("POST", "/jobs/{id}/cancel", LEADER, NONE, USER, YES),
  REQUEUE("POST", "/jobs/{id}/requeue", LEADER, NONE, USER),
  HOLD("POST", "/jobs/{id}/hold", LEADER, NONE, USER, YES),
  RELEASE("POST", "/jobs/{id}/release", LEADER, NONE, USER, YES),
  RESUBMIT("POST", "/jobs/{id}/resubmit", LEADER, LARGE, USER, WITH_KEYS),
  SET("POST", "/jobs/{id}/set", LEADER, LARGE, USER, YES),
  CANCEL_WAITING("POST", "/jobs/{id}/tasks/cancel", LEADER, NONE, USER, YES),
  SIGNAL_TASK("POST", "/jobs/{id}/tasks/{index}/signal", LEADER, NONE, USER),
  CANCEL_TASK("POST", "/jobs/{id}/tasks/{index}/cancel", LEADER, NONE, USER, YES),
  REQUEUE_TASK("POST", "/jobs/{id}/tasks/{index}/requeue", LEADER, NONE, USER),

  /** Streams wait for a leader themselves. */
  EVENTS("GET", "/events", HERE, NONE, USER, YES),
  LIVE("GET", "/live", HERE, NONE, USER, YES),
  LIVE_NEXT("GET", "/live/next", LEADER, NONE, USER, YES),
  TOP("GET", "/top", LEADER, NONE, USER, YES),
  TIMELINE("GET", "/timeline", LEADER, NONE, USER, YES),
  HISTORY("GET", "/history", LEADER, NONE, USER, YES),
  USAGE("GET", "/usage", LEADER, NONE, USER, YES),
  WASTE("GET", "/waste", LEADER, NONE, USER, YES),

  NODES("GET", "/nodes", LEADER, NONE, USER, YES),
  READINGS("GET", "/nodes/{node}/readings", LEADER, NONE, USER, YES),
  DRAIN("POST", "/nodes/{node}/drain", LEADER, NONE, owner("drain nodes"), YES),
  RESUME("POST", "/nodes/{node}/resume", LEADER, NONE, owner("drain nodes"), YES),
  GONE("POST", "/nodes/{node}/gone", LEADER, NONE, owner("drain nodes"), YES),
  REMOVE_NODE("POST", "/nodes/{node}/remove", LEADER, NONE, owner("drain nodes"), YES),
  DRAIN_GPUS("POST", "/nodes/{node}/gpus/drain", LEADER, NONE, owner("drain nodes"), YES),
  RESUME_GPUS("POST", "/nodes/{node}/gpus/resume", LEADER, NONE, owner("drain nodes"), YES),
  END_FOREIGN(
      "POST",
      "/nodes/{node}/foreign/{task}/end",
      LEADER,
      NONE,
      owner("end tasks of another state file"),
      YES),

  ASK_LEASE("POST", "/leases", LEADER, SMALL, USER, WITH_KEYS),
  LEASE("GET", "/leases/{id}", LEADER, NONE, USER, YES),
  RELEASE_LEASE("POST", "/leases/{id}/release", LEADER, SMALL, USER, YES),

  PROFILES("GET", "/profiles", MEMBER, NONE, USER, YES),
  FORGET_PROFILE("POST", "/profiles/forget", LEADER, SMALL, USER, YES),

  USERS("GET", "/users", MEMBER, NONE, owner("list users"), YES),
  ADD_USER("POST", "/users", LEADER, SMALL, owner("add users")),
  LIMIT_USER("POST", "/users/{name}/limits", LEADER, SMALL, owner("limit users"), YES),
  REMOVE_USER("POST", "/users/{name}/remove", LEADER, NONE, owner("remove users"), YES),
  METRICS_TOKEN("POST", "/metrics-token", LEADER, NONE, owner("make a token for metrics")),
  REMOVE_METRICS_TOKEN(
      "POST", "/metrics-token/remove", LEADER, NONE, owner("remove the token for metrics"), YES),

  CLUSTER("GET", "/cluster", HERE, NONE, USER, YES),
  HAND_OVER("POST", "/cluster/hand-over", HERE, NONE, owner("hand over")),
  STOP("POST", "/stop", HERE, NONE, owner("stop it"));

  /** Which member of a cluster answers. */
  public enum Place {
    /** The one that is asked, whoever leads. */
    HERE,
    /** The one that is asked, from the store, while it knows of a leader. */
    MEMBER,
    LEADER
  }

  /** How much is read of a body. */
  public enum Body {
    /** It is not read. */
    NONE(0),
    SMALL(1 << 20),
    LARGE(16 << 20);

    private final int bytes;

    Body(int bytes) {
      this.bytes = bytes;
    }

    /** Maximum bytes; a longer body is refused. */
    public int bytes() {
      return bytes;
    }
  }

  /**
   * Who may send a request.
   *
   * @param token which tokens are valid
   * @param ownerOnly what only the owner may do, for the refusal of others; null if users may, too
   */
  public record Right(Token token, String ownerOnly) {

    static final Right ANYONE = new Right(Token.NONE, null);
    static final Right METRICS = new Right(Token.METRICS, null);
    static final Right USER = new Right(Token.USER, null);

    static Right owner(String may) {
      return new Right(Token.USER, may);
    }

    /** The kinds of tokens. */
    public enum Token {
      NONE,
      /** That of a user, or the one for metrics alone. Its paths have no prefix. */
      METRICS,
      USER
    }
  }

  /** When a request does no harm if it is done twice. */
  public enum Repeat {
    NO,
    /** It reads, or changes a state to one that it names, or numbers what it adds. */
    YES,
    /** If each job of the body has an idempotency key. */
    WITH_KEYS,
    /** If the action in the body is one that sets a state. */
    WITH_STATE,
    /** If the body opens no signal: bytes are counted, and what is opened has a name. */
    UNLESS_SIGNAL
  }

  private final String method;
  private final String path;
  private final Place place;
  private final Body body;
  private final Right right;
  private final Repeat repeat;

  /** A row that is not repeated. */
  ApiRoute(String method, String path, Place place, Body body, Right right) {
    this(method, path, place, body, right, Repeat.NO);
  }

  ApiRoute(String method, String path, Place place, Body body, Right right, Repeat repeat) {
    this.method = method;
    this.path = path;
    this.place = place;
    this.body = body;
    this.right = right;
    this.repeat = repeat;
  }

  public String method() {
    return method;
  }

  /** Returns the path below {@code /api/v1}, with the names of its parameters in braces. */
  public String path() {
    return path;
  }

  public Place place() {
    return place;
  }

  public Body body() {
    return body;
  }

  public Right right() {
    return right;
  }

  public Repeat repeat() {
    return repeat;
  }
}
