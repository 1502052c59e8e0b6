package io.remuda.agent.container;

/** A container that this node cannot run; the message says why. */
public final class ContainerRefusedException extends Exception {
  private static final long serialVersionUID = 1;

  ContainerRefusedException(String why) {
    super(why);
  }
}
