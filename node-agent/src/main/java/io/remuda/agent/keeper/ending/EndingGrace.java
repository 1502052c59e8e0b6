package io.remuda.agent.keeper.ending;

/** How long a task has between the signal that asks it to end and SIGKILL; never above its own. */
public enum EndingGrace {
  /** As long as its job has asked for, an hour at most. */
  OWN(3_600_000, "`--grace`"),
  /** For members of a gang that fails as a whole: the others wait for their devices. */
  GANG(3000, "3 s, at most `--grace`"),
  /** The node's setting, at most. */
  NODE(-1, "`remuda.agent.grace`, at most `--grace`"),
  /** One second, at most: others lack what it holds, or it may already run elsewhere. */
  SECOND(1000, "1 s, at most `--grace`"),
  /** For processes that outlive a first process which has ended by itself. */
  MOMENT(500, "0.5 s"),
  /** No time at all. */
  NONE(0, "at once");

  private final long millis;
  private final String words;

  EndingGrace(long millis, String words) {
    this.millis = millis;
    this.words = words;
  }

  /**
   * Returns the longest grace that the keeper may give, in milliseconds.
   *
   * @param nodeMillis the node's setting
   */
  public long mostMillis(long nodeMillis) {
    return this == NODE ? nodeMillis : millis;
  }

  /** Returns the longest grace in milliseconds of a row that does not go by the node's setting. */
  public long mostMillis() {
    if (this == NODE) {
      throw new IllegalStateException("the node's setting decides");
    }
    return millis;
  }

  /** Returns it for users. */
  public String words() {
    return words;
  }
}
