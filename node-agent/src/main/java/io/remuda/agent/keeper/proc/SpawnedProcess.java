package io.remuda.agent.keeper.proc;

/**
 * A process that was just started.
 *
 * @param startTicks 0 if it ended and was reaped before they could be read
 */
public record SpawnedProcess(int pid, long startTicks) {}
