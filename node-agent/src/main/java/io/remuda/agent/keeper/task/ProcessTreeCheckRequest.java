package io.remuda.agent.keeper.task;

/**
 * A task whose process tree must be examined.
 *
 * @param leaderEnded whether its first process had ended before the examination
 * @param ageMillis since its start
 */
record ProcessTreeCheckRequest(KeeperTask task, boolean leaderEnded, long ageMillis) {}
