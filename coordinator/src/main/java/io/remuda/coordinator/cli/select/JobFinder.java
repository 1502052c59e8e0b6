package io.remuda.coordinator.cli.select;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the jobs that a command is about. The server knows what selectors and names mean; only
 * numbers need no request ({@link NumberedTask} is for those that are no job's).
 */
public final class JobFinder {

  /** What can be written for one job, for help and messages. */
  public static final String ONE =
      "a number, last (your newest), or a name (your newest job with it)";

  /** What can be written for jobs. */
  public static final String JOBS =
      "a number, a name (your newest job with it), last (your newest), all (yours that have not"
          + " ended), or several, as 1,3,5-8,train";

  /** What can be written for jobs and tasks. */
  public static final String WAYS =
      JOBS
          + "; of an array JOB.2 and JOB.2-4 are tasks by their numbers from 0, JOB_3, JOB_3-5 and"
          + " JOB_[3,5-8] tasks by their array indices";

  /** What to say if neither a job nor a filter is given. */
  public static final String NONE_NAMED =
      "no job is named: give a number, a name, last or all, or a filter such as --state failed";

  /** What the jobs are chosen for. */
  public enum Purpose {
    /** To look at them; a name means the newest job with it, ranges have ended jobs, too. */
    LOOK,
    /** To change them; a name must mean one unfinished job, ranges have unfinished jobs only. */
    CHANGE
  }

  private static final Pattern NUMBER = Pattern.compile("([1-9]\\d{0,17})(?:\\.(\\d{1,7}))?");
  private static final Pattern JOB = Pattern.compile("[1-9]\\d{0,17}");
  private static final int PAGE = 1000;

  /** Longest query; servers refuse much longer addresses. */
  private static final int LONGEST = 1200;

  private final RestClient server;
  private final Purpose purpose;
  private final JobFilters filters;
  private final JobDetailSelection details;
  private final List<ChosenJob> chosen = new ArrayList<>();

  private final List<String> notes = new ArrayList<>();

  private JobFinder(
      RestClient server, Purpose purpose, JobFilters filters, JobDetailSelection details) {
    this.server = server;
    this.purpose = purpose;
    this.filters = filters;
    this.details = details;
  }

  /**
   * The chosen jobs.
   *
   * @param notes what the user should know of the choice
   */
  public record Choice(List<ChosenJob> jobs, List<String> notes) {

    /** Tells the user the notes, and returns the jobs. */
    public List<ChosenJob> told(PrintWriter err) {
      notes.forEach(note -> err.println("remuda: " + PrintableText.of(note)));
      err.flush();
      return jobs;
    }
  }

  /** Returns the jobs, or tasks, to look at. */
  public static Choice look(RestClient server, List<String> selectors) throws IOException {
    return new JobFinder(server, Purpose.LOOK, new JobFilters(), JobDetailSelection.NONE)
        .choose(selectors);
  }

  /**
   * Returns what to say of a job's name that commands take for something else; empty if they do
   * not.
   *
   * @param name or null
   */
  public static Optional<String> takenFor(String name) {
    String other =
        name == null
            ? null
            : name.equals("all")
                ? "all your jobs that have not ended"
                : name.equals("last")
                    ? "your newest job"
                    : name.matches("[1-9]\\d{0,17}([-,][1-9]\\d{0,17})*") ? "jobs by number" : null;
    return other == null
        ? Optional.empty()
        : Optional.of(
            "where commands take a job, '%s' means %s: say --name %s for this one"
                .formatted(name, other, name));
  }

  /**
   * Returns one job, or a task of it, to look at.
   *
   * @throws RestFailureException if there is none, or if the selector means several
   */
  public static ChosenJob one(RestClient server, String selector) throws IOException {
    List<ChosenJob> jobs = look(server, List.of(selector)).jobs();
    if (jobs.size() != 1) {
      throw new RestFailureException(
          BAD, "'" + selector + "' means " + jobs.size() + " jobs, and this command accepts one");
    }
    return jobs.get(0);
  }

  private static final int BAD = 400;

  /** Returns the jobs; without selectors, the user's unfinished ones that pass the filters. */
  public static Choice of(
      RestClient server, List<String> selectors, JobFilters filters, Purpose purpose)
      throws IOException {
    return new JobFinder(server, purpose, filters, JobDetailSelection.NONE).choose(selectors);
  }

  /** As {@link #of}, and the server says how far each of them is. */
  public static Choice withProgress(
      RestClient server, List<String> selectors, JobFilters filters, Purpose purpose)
      throws IOException {
    return new JobFinder(server, purpose, filters, JobDetailSelection.PROGRESS).choose(selectors);
  }

  /** Returns the jobs to look at, with what the server says of each. */
  public static Choice toLookAt(
      RestClient server, List<String> selectors, JobFilters filters, JobDetailSelection details)
      throws IOException {
    return new JobFinder(server, Purpose.LOOK, filters, details).choose(selectors);
  }

  /** Returns the user's jobs that pass the filters, ended or not. */
  public static Choice ended(RestClient server, JobFilters filters) throws IOException {
    JobFinder choice = new JobFinder(server, Purpose.LOOK, filters, JobDetailSelection.NONE);
    choice.list("&all");
    return new Choice(List.copyOf(choice.chosen), List.of());
  }

  private Choice choose(List<String> selectors) throws IOException {
    if (selectors.isEmpty() || selectors.equals(List.of("all"))) {
      list("");
    } else if (filters.areNone()
        && details.equals(JobDetailSelection.NONE)
        && areNumbers(selectors)) {
      addNumbers(selectors);
    } else {
      for (String part : parts(selectors)) {
        add(server.get(path(part, filters.user(server))), selectors);
      }
    }
    return new Choice(List.copyOf(chosen), List.copyOf(notes));
  }

  /** Returns whether the server need not be asked; to look at a task, its array index is asked. */
  private boolean areNumbers(List<String> selectors) {
    Pattern known = purpose == Purpose.LOOK ? JOB : NUMBER;
    return areAll(known, selectors);
  }

  private static boolean areAll(Pattern known, List<String> selectors) {
    return selectors.stream()
        .flatMap(selector -> Stream.of(selector.split(",", -1)))
        .allMatch(number -> known.matcher(number).matches());
  }

  private void addNumbers(List<String> selectors) {
    selectors.forEach(list -> Stream.of(list.split(",")).forEach(this::addNumber));
  }

  private void addNumber(String text) {
    Matcher number = NUMBER.matcher(text);
    if (number.matches()) {
      Integer task = number.group(2) == null ? null : Integer.valueOf(number.group(2));
      chosen.add(new ChosenJob(Long.parseLong(number.group(1)), task, null));
    }
  }

  private String path(String part, String user) {
    return "/jobs?"
        + part
        + filters.query()
        + ofUser(user)
        + (purpose == Purpose.LOOK ? "&all" : "")
        + details.query();
  }

  /** Returns the selectors as parts of queries that are not too long, with the limit in each. */
  private List<String> parts(List<String> selectors) {
    int most = filters.most() == null ? 10 * PAGE : filters.most();
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (String selector : selectors) {
      if (part.length() > LONGEST) {
        parts.add("limit=" + most + part);
        part.setLength(0);
      }
      JobFilters.add(part, "select", selector);
    }
    parts.add("limit=" + most + part);
    return parts;
  }

  /** Adds the user's unfinished jobs that pass the filters, or with {@code &all} all such jobs. */
  private void list(String all) throws IOException {
    String user = filters.user(server) == null ? server.access().user() : filters.user(server);
    int most = filters.most() == null ? Integer.MAX_VALUE : filters.most();
    String query = all + filters.query() + details.query() + ofUser(user);
    JobPages.read(server, query, most).oldestFirst().forEach(job -> chosen.add(chosen(job)));
  }

  private static String ofUser(String user) {
    return user == null ? "" : "&user=" + RestClient.encode(user);
  }

  /**
   * Returns the newest jobs of all users, or of the one that the filters name.
   *
   * @param ended whether jobs are listed that have ended
   * @param details what the server says of each
   */
  public static JobPages list(
      RestClient server, JobFilters filters, boolean ended, JobDetailSelection details, int most)
      throws IOException {
    String query = (ended ? "&all" : "") + details.query() + filters.query();
    return JobPages.read(server, query + ofUser(filters.user(server)), most);
  }

  private void add(JsonNode answer, List<String> selectors) throws RestFailureException {
    boolean earlier = !answer.path("filtered").asBoolean();
    if (earlier
        && filters.areNone()
        && details.equals(JobDetailSelection.NONE)
        && areAll(NUMBER, selectors)) {
      chosen.clear();
      addNumbers(selectors);
      return;
    }
    requireFilters(answer);
    answer.path("jobs").forEach(job -> chosen.add(chosen(job)));
    answer.path("notes").forEach(note -> notes.add(note.asText()));
  }

  private static ChosenJob chosen(JsonNode job) {
    Integer task = job.path("task").isNumber() ? job.path("task").asInt() : null;
    return new ChosenJob(job.path("id").asLong(), task, job);
  }

  /** A server of an earlier build takes no notice of selectors and lists other jobs. */
  static void requireFilters(JsonNode answer) throws RestFailureException {
    if (!answer.path("filtered").asBoolean()) {
      throw new RestFailureException(
          BAD,
          "this server is from an earlier build, which knows jobs only by number: give numbers");
    }
  }
}
