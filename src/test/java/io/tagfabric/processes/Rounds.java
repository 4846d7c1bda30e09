package io.tagfabric.processes;

import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A program whose ranks send messages of several lengths to each other, round by round, and compare
 * each byte that comes. Its argument is the number of rounds; rank 0 says how many are done now and
 * then, each rank when all have come, and how long the first took.
 */
final class Rounds {
  /** Rank 0 says how far it is each so many rounds. */
  static final int SAID = 20;

  private static final int[] LENGTHS = {8, 1000, 30_000, 300_000};

  private final Job job;

  private Rounds(Job job) {
    this.job = job;
  }

  public static void main(String[] args) {
    Job.run(args, job -> new Rounds(job).run(Integer.parseInt(args[0])));
  }

  private int run(int rounds) {
    long begunNs = System.nanoTime();
    for (int round = 1; round <= rounds; round++) {
      exchange(round);
      if (round == 1) {
        long tookNs = System.nanoTime() - begunNs;
        System.out.println("first after " + TimeUnit.NANOSECONDS.toMillis(tookNs) + " ms");
      }
      if (job.rank() == 0 && round % SAID == 0) {
        System.out.println("round " + round);
      }
    }
    System.out.println("all have come");
    return 0;
  }

  private void exchange(int round) {
    List<CompletableFuture<?>> sent = new ArrayList<>();
    List<CompletableFuture<TaggedMessage>> received = new ArrayList<>();
    for (int rank = 0; rank < job.size(); rank++) {
      for (int kind = 0; kind < LENGTHS.length; kind++) {
        if (rank != job.rank()) {
          TagSelector from = TagSelector.exact(tag(rank, kind));
          received.add(job.endpoint().futures().receiveTagged(from).toCompletableFuture());
          sent.add(send(rank, kind, round));
        }
      }
    }
    sent.forEach(CompletableFuture::join);
    received.forEach(each -> check(each.join(), round));
  }

  private CompletableFuture<?> send(int rank, int kind, int round) {
    return job.endpoint()
        .futures()
        .sendTagged(job.peer(rank), bytes(job.rank(), kind, round), tag(job.rank(), kind))
        .toCompletableFuture();
  }

  private static long tag(int from, int kind) {
    return (long) from * LENGTHS.length + kind;
  }

  private static byte[] bytes(int from, int kind, int round) {
    byte[] bytes = new byte[LENGTHS[kind]];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 7 + i / 251 + 31 * round + 5 * kind + from);
    }
    return bytes;
  }

  private static void check(TaggedMessage message, int round) {
    int from = (int) (message.tag() / LENGTHS.length);
    int kind = (int) (message.tag() % LENGTHS.length);
    byte[] got = message.payload().array();
    if (!Arrays.equals(got, bytes(from, kind, round))) {
      throw new IllegalStateException(
          "round " + round + ": something else of " + got.length + " bytes from rank " + from);
    }
  }
}
