package io.remuda.coordinator.rest.answer;

import java.util.List;

/**
 * What was held, used and wasted. Users that may not see what others use have their own sums, and
 * the rows of all that concern a node now.
 *
 * @param since first day in UTC, as {@code 2026-11-25}
 * @param until last day, included
 * @param users sums of ended attempts by user
 * @param types the same by type
 * @param nodes the same by node
 * @param rows what is wasted, each with what mends it
 * @param gaps how long GPUs had nobody, by reason
 * @param energy of GPUs
 * @param energySince from when on energy and gaps are counted, in seconds since 1970
 * @param idleForLess GPUs that are held and at 0 % now and not among the rows: not for 5 minutes,
 *     or nothing says for how long
 * @param more whether the shortest times are left out of them, since there are too many
 */
public record WasteAnswer(
    String since,
    String until,
    UsageSumAnswer total,
    List<UsageSumAnswer> users,
    List<UsageSumAnswer> types,
    List<UsageSumAnswer> nodes,
    List<Row> rows,
    List<Gap> gaps,
    List<Energy> energy,
    long energySince,
    int idleForLess,
    boolean more) {

  /**
   * Something that is wasted; what does not concern it is null.
   *
   * @param kind never-touched, hardly-busy, over-asked-cpus, over-asked-memory of ended attempts;
   *     lent-and-idle or squatter of a GPU now
   * @param node null if its GPUs are of several
   * @param gpu as {@code NODE:NUMBER}; of a job with several that are idle each, with commas
   * @param text what it is
   * @param idleSince since when the newest of its GPUs to be idle is, in seconds since 1970
   * @param command that mends it
   */
  public record Row(
      String kind,
      String user,
      String type,
      String node,
      String gpu,
      Long job,
      String text,
      Long idleSince,
      String command) {}

  /**
   * How long GPUs had nobody for a reason.
   *
   * @param text the reason in words
   */
  public record Gap(String reason, String text, double gpuHours) {}

  /**
   * The energy of GPUs.
   *
   * @param by all, user, type or node; idle for that of GPUs which nobody had
   * @param name of the user, type or node; null for all and idle
   */
  public record Energy(String by, String name, double kwh) {}
}
