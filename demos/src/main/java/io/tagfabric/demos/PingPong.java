package io.tagfabric.demos;

import io.tagfabric.cluster.host.RecordOutput;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.job.Job;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * A message goes from rank 0 to rank 1 and back, again and again, for several sizes. Rank 0 prints
 * what libfabric's fi_pingpong prints; a transfer is half a round trip.
 *
 * <p>Run it: {@code tagfabric run -n 2 pingpong}, or without ranks in one JVM: {@code tagfabric
 * pingpong --provider local}.
 *
 * @source libfabric fi_pingpong(1)
 */
@Command(name = "pingpong", description = "How long a message takes between two ranks.")
public final class PingPong extends HelpOption {
  /** Rank 0 tells rank 1 what to play next; 0 round trips are the end. */
  private static final long NEXT = 0x11E;

  @Mixin private PingPongOptions options = new PingPongOptions();

  private PingPong() {}

  public static void main(String[] args) {
    PingPong program = new PingPong();
    Arguments.parse(program, args, program.options::complaint);
    Job.run(program.options.jobOptions(), args, program::run);
  }

  private int run(Job job) {
    if (job.rank() == 0) {
      OutputStream screen =
          options.isUnnumbered()
              ? RecordOutput.of(System.out, job.spec().launcherPid())
              : System.out;
      PrintWriter out = new PrintWriter(screen, true, Charset.defaultCharset());
      Ranks court = new Ranks(job, options.check);
      options.rally(out).play(court);
      court.tellNext(0, 0);
    } else {
      answer(job);
    }
    return 0;
  }

  /** Rank 1: does what rank 0 says until it says that it is over. */
  private void answer(Job job) {
    Player player = new Player(job.endpoint(), job.peer(0), options.check);
    TagSelector nextFromRank0 = TagSelector.exact(NEXT).from(job.peer(0));
    while (true) {
      TaggedMessage next =
          job.endpoint().futures().receiveTagged(nextFromRank0).toCompletableFuture().join();
      int bytes = next.payload().asByteBuffer().getInt(0);
      int roundTrips = next.payload().asByteBuffer().getInt(4);
      if (roundTrips == 0) {
        return;
      }
      player.begin(bytes);
      player.postReceive();
      for (int i = 1; i <= roundTrips; i++) {
        player.awaitMessage(i);
        if (i < roundTrips) {
          player.postReceive(); // before the answer: the next message finds it posted
        }
        player.send(i);
      }
    }
  }

  /** Rank 0's view: the other side is a rank. */
  private static final class Ranks implements Rally.Court {
    private final Job job;
    private final Player player;

    Ranks(Job job, boolean check) {
      this.job = job;
      this.player = new Player(job.endpoint(), job.peer(1), check);
    }

    void tellNext(int bytes, int roundTrips) {
      byte[] next = ByteBuffer.allocate(8).putInt(bytes).putInt(roundTrips).array();
      CompletionStage<Completion.Sent> sent =
          job.endpoint().futures().sendTagged(job.peer(1), next, NEXT);
      sent.toCompletableFuture().join();
    }

    @Override
    public long play(int bytes, int roundTrips, Histogram roundTripsNs) {
      tellNext(bytes, roundTrips);
      player.begin(bytes);
      long beginNs = System.nanoTime();
      long lastNs = beginNs;
      for (int i = 1; i <= roundTrips; i++) {
        player.postReceive();
        player.send(i);
        player.awaitMessage(i);
        long nowNs = System.nanoTime();
        roundTripsNs.recordValue(nowNs - lastNs);
        lastNs = nowNs;
      }
      return lastNs - beginNs;
    }

    @Override
    public String provider() {
      return job.endpoint().futures().flows().toCompletableFuture().join().flows().stream()
          .filter(flow -> flow.peer() == job.peer(1))
          .map(Endpoint.FlowInfo::provider)
          .findFirst()
          .orElse("none");
    }

    @Override
    public String progress() {
      return job.domain().progressSettings().mode().name().toLowerCase(Locale.ROOT);
    }
  }
}
