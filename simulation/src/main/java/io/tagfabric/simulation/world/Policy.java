package io.tagfabric.simulation.world;

import io.tagfabric.simulation.choice.Choices;
import java.util.HashMap;
import java.util.Map;

/** Who of those that are ready takes the next turn. */
public interface Policy {
  /** The number of one of {@code count} participants; the first is the plainest choice. */
  int next(Participant[] ready, int count);

  /** Each is as likely as any other. */
  static Policy uniform(Choices choices) {
    return (ready, count) -> choices.below(count);
  }

  /**
   * Each participant has a priority, the highest of those that are ready takes the turn, and now
   * and then the one whose turn it is gets the lowest: a few such changes find what needs a few
   * turns in one order, which chance alone seldom meets.
   *
   * @param changeEvery turns between two changes, in the mean
   * @source Burckhardt, Kothari, Musuvathi and Nagarakatte: A randomized scheduler with
   *     probabilistic guarantees of finding bugs (PCT), ASPLOS 2010
   */
  static Policy pct(Choices choices, int changeEvery) {
    return new Policy() {
      private final Map<Participant, Integer> priorities = new HashMap<>();
      private int lowest;
      private int turnsInRow;

      @Override
      public int next(Participant[] ready, int count) {
        int best = 0;
        for (int i = 0; i < count; i++) {
          if (priority(ready[i]) > priority(ready[best])) {
            best = i;
          }
        }
        // One that always has something to do must not keep the others from their turns for ever.
        if (count > 1
            && (choices.below(changeEvery) == changeEvery - 1 || ++turnsInRow > LONGEST)) {
          turnsInRow = 0;
          priorities.put(ready[best], --lowest);
        }
        return best;
      }

      private int priority(Participant participant) {
        Integer known = priorities.get(participant);
        if (known == null) {
          known = choices.below(1 << 10);
          priorities.put(participant, known);
        }
        return known;
      }
    };
  }

  /** Turns in a row after which PCT changes priorities at the latest. */
  int LONGEST = 200;
}
