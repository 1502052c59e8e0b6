package io.remuda.coordinator.registry;

import java.time.Duration;

/**
 * How tasks share the nodes over time.
 *
 * @param reserveAfter how long the first task that fits nowhere is passed by others before room is
 *     kept for it
 * @param useHalfLife after which a user's past use counts half
 * @param restartableContact how long a task that may be tried again runs on without a word from the
 *     coordinator
 * @param ahead for how long a node is given work beyond what it has room for, so that short tasks
 *     follow each other without a word of the coordinator in between; zero for not at all
 */
public record SharingPolicy(
    Duration reserveAfter, Duration useHalfLife, Duration restartableContact, Duration ahead) {}
