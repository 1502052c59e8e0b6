package io.remuda.coordinator.cli.top;

import java.io.IOException;
import java.time.Duration;

/**
 * Asks for a new picture again and again, on a thread of its own, so that keys are answered while a
 * server takes its time.
 */
public final class TopFeed implements AutoCloseable {

  /** Asks the server. */
  public interface PictureSource {
    TopPicture ask() throws IOException, InterruptedException;
  }

  /**
   * What is known.
   *
   * @param picture the last that came
   * @param fault why no newer one did, or empty
   */
  record PictureUpdate(TopPicture picture, String fault) {}

  private final PictureSource look;
  private final Duration delay;
  private final Thread thread = new Thread(this::run, "top-feed");
  private volatile PictureUpdate news;
  private volatile boolean paused;

  /**
   * Begins to ask.
   *
   * @param first what was the first answer
   * @param delay from an answer to the next question
   */
  public TopFeed(TopPicture first, PictureSource look, Duration delay) {
    this.news = new PictureUpdate(first, "");
    this.look = look;
    this.delay = delay;
    thread.setDaemon(true);
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
      return new PictureUpdate(look.ask(), "");
    } catch (IOException fault) {
      return new PictureUpdate(news.picture(), fault.getMessage());
    } catch (RuntimeException fault) { // an answer of a server that is not like this build
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

  @Override
  public void close() {
    thread.interrupt();
  }
}
