package io.tagfabric.match.table;

import io.tagfabric.tag.TagSelector;
import java.util.Random;

/**
 * Prints nanoseconds a matched message for several depths; not a test.
 *
 * <p>Each row posts (or queues) D entries of different tags and takes them in reverse, or shuffled.
 */
final class MatchTableMeasure {
  private static final int MESSAGES = 4_000_000;
  private static final int ROUNDS = 7;

  private final MatchTable<Receive, Message> table = new MatchTable<>();
  private final Receive[] receives;
  private final Message[] messages;
  private final int[] order;

  private MatchTableMeasure(int depth, boolean shuffled) {
    receives = new Receive[depth];
    messages = new Message[depth];
    order = new int[depth];
    for (int i = 0; i < depth; i++) {
      receives[i] = new Receive();
      messages[i] = new Message();
      order[i] = depth - 1 - i;
    }
    Random random = new Random(1);
    for (int i = depth - 1; shuffled && i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
  }

  public static void main(String[] args) {
    System.out.println("depth  posted  unexpected  posted-shuffled  unexpected-shuffled  (ns)");
    int[] depths = {1, 2, 4, 8, 10, 16, 32, 64, 100, 1000, 10_000, 100_000};
    for (int warm = 0; warm < 2; warm++) {
      for (int depth : depths) {
        MatchTableMeasure reverse = new MatchTableMeasure(depth, false);
        MatchTableMeasure shuffled = new MatchTableMeasure(depth, true);
        double a = best(reverse::posted, depth);
        double b = best(reverse::unexpected, depth);
        double c = best(shuffled::posted, depth);
        double d = best(shuffled::unexpected, depth);
        if (warm == 1) {
          System.out.printf("%6d %7.1f %7.1f %7.1f %7.1f%n", depth, a, b, c, d);
        }
      }
    }
  }

  private static double best(Runnable burst, int depth) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      int bursts = Math.max(1, MESSAGES / ROUNDS / depth);
      long start = System.nanoTime();
      for (int i = 0; i < bursts; i++) {
        burst.run();
      }
      best = Math.min(best, (System.nanoTime() - start) / ((double) bursts * depth));
    }
    return best;
  }

  private void posted() {
    for (int tag = 0; tag < receives.length; tag++) {
      table.addPosted(receives[tag].wants(tag, 0, 0));
    }
    for (int tag : order) {
      if (table.matchArrival(tag, 0) != receives[tag]) {
        throw new IllegalStateException("tag=" + tag + " found another receive");
      }
    }
  }

  private void unexpected() {
    for (int tag = 0; tag < messages.length; tag++) {
      table.addUnexpected(messages[tag].sent(tag, 0));
    }
    for (int tag : order) {
      if (table.matchPost(tag, 0, TagSelector.ANY_SOURCE) != messages[tag]) {
        throw new IllegalStateException("tag=" + tag + " found another message");
      }
    }
  }
}
