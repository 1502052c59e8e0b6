/** Decides what to start, end or forget on the node to reach the desired state; no side effects. */
package io.remuda.agent.recovery;
