package io.remuda.agent.protocol;

/** The output streams of a process. */
public enum OutputStreamName {
  OUT,
  ERR
}
