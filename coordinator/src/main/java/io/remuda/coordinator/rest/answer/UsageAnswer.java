package io.remuda.coordinator.rest.answer;

import java.util.List;

/**
 * What attempts held and used that ended in a span of days; of those that run, what they have held
 * counts on the present day.
 *
 * @param since first day in UTC, as {@code 2026-11-25}
 * @param until last day, included
 * @param by what the sums are by
 * @param more whether there are further groups
 * @param unused what was held and not used
 */
public record UsageAnswer(
    String since,
    String until,
    String by,
    List<UsageSumAnswer> sums,
    boolean more,
    UsageSumAnswer total,
    List<UnusedAnswer> unused) {}
