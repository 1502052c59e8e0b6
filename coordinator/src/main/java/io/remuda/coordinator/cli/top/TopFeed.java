package io.remuda.coordinator.cli.top;

import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.time.Duration;

/**
 * Requests pictures periodically on a separate thread, so that keys work while the server is slow.
 */
public final class TopFeed implements AutoCloseable {

  /** Requests a picture from the server. */
  public interface PictureSource {
    /**
     * @param all whether all jobs are wanted, and not only as many as a screen may show
     */
    TopScreenData ask(boolean all) throws IOException, InterruptedException;
  }

  /**
   * The newest picture.
   *
   * @param picture the last one received
   * @param fault why the last request failed, or empty
   */
  record PictureUpdate(TopScreenData picture, String fault) {}

  private final PictureSource look;
  private final Duration delay;
  private final Thread thread = DaemonThread.of("top-feed", this::run);
  private volatile PictureUpdate news;
  private volatile boolean paused;
  private volatile boolean all;

  /**
   * Starts the thread.
   *
   * @param first picture until the first request is answered
   * @param delay from an answer to the next request
   */
  public TopFeed(TopScreenData first, PictureSource look, Duration delay) {
    this.news = new PictureUpdate(first, "");
    this.look = look;
    this.delay = delay;
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(delay.toMillis());
        if (!paused) {
          news = ask();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private PictureUpdate ask() throws InterruptedException {
    try {
      return new PictureUpdate(look.ask(all), "");
    } catch (IOException fault) {
      return new PictureUpdate(news.picture(), fault.getMessage());
    } catch (RuntimeException fault) { // an answer of a server of another build
      return new PictureUpdate(news.picture(), fault.toString());
    }
  }

  PictureUpdate news() {
    return news;
  }

  boolean isPaused() {
    return paused;
  }

  void pause(boolean now) {
    paused = now;
  }

  /** Has the next pictures contain all jobs, or as many as a screen may show. */
  void all(boolean wanted) {
    all = wanted;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
