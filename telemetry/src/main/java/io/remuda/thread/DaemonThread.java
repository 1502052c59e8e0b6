package io.remuda.thread;

/** Makes threads that do not keep the program alive. */
public final class DaemonThread {

  private DaemonThread() {}

  /** Returns a thread that is not started yet. */
  public static Thread of(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts a thread, and returns it. */
  public static Thread start(String name, Runnable work) {
    Thread thread = of(name, work);
    thread.start();
    return thread;
  }
}
