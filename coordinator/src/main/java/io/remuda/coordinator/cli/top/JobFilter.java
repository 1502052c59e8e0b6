package io.remuda.coordinator.cli.top;

import java.util.List;
import java.util.Locale;

/**
 * Which jobs a screen shows.
 *
 * @param user whose jobs; empty for all
 * @param text a part of the name, user, state or number, in any case; empty for all
 */
record JobFilter(String user, String text) {

  static final JobFilter ALL = new JobFilter("", "");

  boolean isAll() {
    return user.isEmpty() && text.isEmpty();
  }

  /** Returns the picture with the chosen jobs alone. */
  TopScreenData of(TopScreenData picture) {
    if (isAll()) {
      return picture;
    }
    List<TopScreenData.Job> jobs = picture.jobs().stream().filter(this::shows).toList();
    int waiting = (int) jobs.stream().filter(TopScreenData.Job::isBefore).count();
    return new TopScreenData(
        picture.at(),
        picture.nodes(),
        picture.silent(),
        picture.gpus(),
        jobs.size() - waiting,
        waiting,
        jobs,
        words());
  }

  private boolean shows(TopScreenData.Job job) {
    String all = job.id() + " " + job.name() + " " + job.user() + " " + job.state();
    return (user.isEmpty() || job.user().equals(user))
        && all.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  private String words() {
    String whose = user.isEmpty() ? "" : " of " + user;
    String which = text.isEmpty() ? "" : " with '" + text + "'";
    return "only jobs"
        + whose
        + which
        + (user.isEmpty() ? ": / and Enter" : ": u and Enter")
        + " shows all";
  }
}
