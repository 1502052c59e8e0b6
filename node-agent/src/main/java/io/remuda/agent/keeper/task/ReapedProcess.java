package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.ResourceUsage;

/** A process that was reaped, and its state just before. */
record ReapedProcess(ProcStat stat, ExitStatus status, ResourceUsage usage, long atMillis) {}
