package io.remuda.agent.protocol;

/** One of the two things that a process prints to. */
public enum OutputStreamName {
  OUT,
  ERR
}
