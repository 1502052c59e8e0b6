package io.remuda.worker.main;

import io.remuda.worker.protocol.FromWorker.Happened;
import io.remuda.worker.protocol.WorkerEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The events of this worker that the coordinator has not yet acknowledged. Thread-safe. */
final class EventOutbox {

  private final Deque<Happened> waiting = new ArrayDeque<>();
  private long last;

  synchronized Happened add(WorkerEvent event) {
    Happened happened = new Happened(++last, event);
    waiting.addLast(happened);
    return happened;
  }

  synchronized void acknowledge(long sequence) {
    while (!waiting.isEmpty() && waiting.peekFirst().sequence() <= sequence) {
      waiting.removeFirst();
    }
    notifyAll();
  }

  synchronized List<Happened> unacknowledged() {
    return List.copyOf(waiting);
  }

  synchronized void awaitEmpty() throws InterruptedException {
    while (!waiting.isEmpty()) {
      wait();
    }
  }
}
