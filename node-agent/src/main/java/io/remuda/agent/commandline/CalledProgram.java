package io.remuda.agent.commandline;

/** A program whose commands ask it who calls them; the user object of a root command. */
public interface CalledProgram {

  /** Returns who calls this program, the same for all of its commands. */
  Caller caller();
}
