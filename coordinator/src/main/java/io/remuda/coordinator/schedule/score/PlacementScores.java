package io.remuda.coordinator.schedule.score;

import io.remuda.coordinator.schedule.mix.RoomTable;
import io.remuda.worker.job.PlacementPolicy;
import java.util.function.Supplier;

/** The scores of all placement policies, for one decision. A new policy is one more line here. */
public final class PlacementScores {

  private static final Score PACK = new PackScore();
  private static final Score SPREAD = new SpreadScore();
  private static final Score BEST_FIT = new BestFitScore();
  private static final Score SHARE = new ShareScore();
  private static final Score DOT_PRODUCT = new DotProductScore();
  private static final Score IN_TURN = (node, needs) -> 0; // the order of the nodes decides

  private PlacementScores() {}

  /**
   * Returns the score of a policy.
   *
   * @param room the room of the cluster for what usually comes, as FGD sees it
   * @param weighted the same, weighted by scarcity
   * @param round a number that changes from decision to decision
   */
  public static Score of(
      PlacementPolicy policy, Supplier<RoomTable> room, Supplier<RoomTable> weighted, long round) {
    return switch (policy) {
      case ROUND_ROBIN -> IN_TURN;
      case SPREAD -> SPREAD;
      case PACK -> PACK;
      case BEST_FIT -> BEST_FIT;
      case FORESIGHT -> new ForesightScore(weighted.get());
      case FGD -> new FgdScore(room.get());
      case DOT_PRODUCT -> DOT_PRODUCT;
      case RANDOM -> new RandomScore(round);
      case SHARE -> SHARE;
    };
  }
}
