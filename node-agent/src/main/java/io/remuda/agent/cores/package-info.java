/** Which CPUs of a node belong to which pinned task. */
package io.remuda.agent.cores;
