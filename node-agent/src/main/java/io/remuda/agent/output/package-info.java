/** Reads the output of tasks and keeps it within limits. */
package io.remuda.agent.output;
