package io.tagfabric.bench.ours;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.AskPattern;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.bench.measure.Spending;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.ours.ActorMessage.AskAll;
import io.tagfabric.bench.ours.ActorMessage.Open;
import io.tagfabric.bench.ours.ActorMessage.Question;
import io.tagfabric.bench.ours.ActorMessage.State;
import io.tagfabric.bench.ours.ActorMessage.TellAll;
import io.tagfabric.job.Job;
import io.tagfabric.report.Rows;
import io.tagfabric.report.WarmUp;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Measures references to actors of the other rank, beside Akka's own to the same actors. */
public final class ActorBench {
  /** Asks, one at a time. */
  public static final String ASK = "ask";

  /** Tells within a window. */
  public static final String TELL = "tell";

  private static final int LEAST_COUNT = 10;
  private static final int MOST_COUNT = 1 << 25;
  private static final long ROUND_NS = 20_000_000L;
  private static final long WARM_UP_MIN_NS = 1_000_000_000L;
  private static final long WARM_UP_MAX_NS = 15_000_000_000L;
  private static final int WARM_UP_COUNT = 50_000;
  private static final int CHOICES = 3;

  private final String work;
  private final ActorOptions options;
  private final ActorSystem<?> system;
  private final FabricActors actors;
  private final PrintWriter out;
  private final ActorMessage.Body body;
  private final Map<ActorWay, ActorRef<ActorMessage>> askers = new EnumMap<>(ActorWay.class);

  /** Runs of one way, by our references or by Akka's. */
  private final class Side {
    private final ActorWay way;
    private final boolean byAkka;
    private final ActorRef<ActorMessage> target;
    private final double[] usec = new double[options.runs()];
    private final double[] cpu = new double[options.runs()];
    private final Spending spending = new Spending();
    private long received;
    private int count;

    Side(ActorWay way, boolean byAkka) {
      this.way = way;
      this.byAkka = byAkka;
      ActorRef<ActorMessage> twin =
          actors.ref(way.target(), ActorMessage.class).toCompletableFuture().join();
      String path = ActorRefResolver.get(system).toSerializationFormat(twin);
      ActorRef<ActorMessage> akka =
          Adapter.toTyped(
              ((ExtendedActorSystem) Adapter.toClassic(system)).provider().resolveActorRef(path));
      target = byAkka ? akka : twin;
    }

    /** Nanoseconds of so many. */
    long run(int messages) {
      if (way.isActor()) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        askers
            .get(way)
            .tell(
                work.equals(ASK)
                    ? new AskAll(target, byAkka, body, messages, done)
                    : new TellAll(target, byAkka, body, messages, options.window, done));
        return done.join();
      }
      long beginNs = System.nanoTime();
      for (int i = 0; i < messages; i++) {
        wait(ask());
      }
      return System.nanoTime() - beginNs;
    }

    private CompletionStage<ActorMessage> ask() {
      return AskPattern.ask(
          target,
          (ActorRef<ActorMessage> replyTo) -> new Question(byAkka, body, replyTo),
          ActorAsker.PATIENCE,
          system.scheduler());
    }

    private void wait(CompletionStage<ActorMessage> answer) {
      if (way == ActorWay.WAIT && !byAkka) {
        actors.await(answer, ActorAsker.PATIENCE);
      } else {
        answer.toCompletableFuture().join();
      }
    }

    /** The far side's state; it counts from 0 again. */
    private State open() {
      return (State)
          AskPattern.ask(
                  target,
                  (ActorRef<ActorMessage> replyTo) -> new Open(byAkka, 0, replyTo),
                  ActorAsker.PATIENCE,
                  system.scheduler())
              .toCompletableFuture()
              .join();
    }

    void warmUp() {
      WarmUp warmUp = new WarmUp(WARM_UP_MIN_NS, WARM_UP_MAX_NS);
      int round = whole(LEAST_COUNT);
      long done = 0;
      do {
        long spentNs = run(round);
        done += round;
        if (spentNs < ROUND_NS && round < MOST_COUNT) {
          round *= 2;
        }
        warmUp.add(spentNs);
      } while (!warmUp.isTooLong() && (!warmUp.isOver() || done < WARM_UP_COUNT));
    }

    /** As many as fill a run, when all are warm. */
    void choose() {
      int few = whole(LEAST_COUNT);
      double eachNs = Math.max(1.0, (double) run(few) / few);
      for (int i = 0; i < CHOICES; i++) {
        int some = whole(bounded(ROUND_NS / eachNs));
        eachNs = Math.max(1.0, (double) run(some) / some);
      }
      count = whole(bounded(TimeUnit.MILLISECONDS.toNanos(options.runMs) / eachNs));
    }

    private static int bounded(double messages) {
      return (int) Math.max(LEAST_COUNT, Math.min(MOST_COUNT, messages));
    }

    /** So many that the last of them is acknowledged. */
    private int whole(int messages) {
      int half = work.equals(TELL) ? TransferKind.half(options.window) : 1;
      return (messages + half - 1) / half * half;
    }

    void measure(int run) {
      State before = open();
      long cpuBeforeNs = ActorMessage.cpuNs();
      spending.begin();
      usec[run] = run(count) / 1e3 / count;
      spending.end(count);
      long cpuNs = ActorMessage.cpuNs() - cpuBeforeNs;
      State after = open();
      cpu[run] = (cpuNs + after.cpuNs() - before.cpuNs()) / 1e3 / count;
      received += after.received();
      if (work.equals(TELL) && after.received() != count) {
        throw new IllegalStateException(
            after.received() + " messages were received of " + count + ", a run must lose none");
      }
    }
  }

  ActorBench(String work, ActorOptions options, Job job, PrintWriter out) {
    this.work = work;
    this.options = options;
    this.out = out;
    system = job.system();
    actors = FabricActors.get(system);
    body = new ActorMessage.Body(new byte[options.bytes]);
    for (ActorWay way : ActorWay.TARGETS) {
      askers.put(
          way,
          system.systemActorOf(
              ActorAsker.create(), "bench-" + EnumNames.of(way), ActorRank.place(actors, way)));
    }
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public static int start(String work, ActorOptions options, CommandLine command) {
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    return RankJob.start(ActorRank.class, options, List.of(work));
  }

  /** Runs of all ways take turns, so that they meet the same load. */
  void measure() {
    List<ActorWay> ways = new ArrayList<>(options.ways);
    if (work.equals(TELL)) {
      ways.retainAll(ActorWay.TARGETS);
    }
    List<Side> ours = new ArrayList<>();
    List<Side> akkas = new ArrayList<>();
    for (ActorWay way : ways) {
      ours.add(new Side(way, false));
    }
    if (options.versus != null) {
      for (ActorWay way : List.of(ActorWay.ACTORS, ActorWay.THREAD)) {
        if (ways.stream().anyMatch(each -> each.isActor() == way.isActor())) {
          akkas.add(new Side(way, true));
        }
      }
    }
    ours.forEach(Side::warmUp);
    akkas.forEach(Side::warmUp);
    ours.forEach(Side::choose);
    akkas.forEach(Side::choose);
    for (int run = 0; run < options.runs(); run++) {
      for (Side side : akkas) {
        side.measure(run);
      }
      for (Side side : ours) {
        side.measure(run);
      }
    }
    print(ours, akkas);
  }

  private void print(List<Side> ours, List<Side> akkas) {
    Rows rows =
        new Rows(
            out,
            options.json,
            "%-5s  %-7s  %-9s  %10s  %10s  %10s  %8s  %8s  %8s  %8s",
            "op",
            "way",
            "reference",
            "usec",
            "usec_min=min",
            "usec_max=max",
            "cpu_usec=cpu",
            "faster",
            "faster_min=min",
            "faster_max=max");
    akkas.forEach(side -> rows.add(row(side, null)));
    for (Side side : ours) {
      rows.add(row(side, peerOf(side, akkas)));
    }
  }

  /** Akka's references in the same hands: an actor on its own threads, or a thread. */
  private static Side peerOf(Side side, List<Side> akkas) {
    return akkas.stream()
        .filter(akka -> akka.way.isActor() == side.way.isActor())
        .findFirst()
        .orElse(null);
  }

  private Map<String, Object> row(Side side, Side akka) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("op", work);
    row.put("way", EnumNames.of(side.way));
    row.put("reference", side.byAkka ? "akka" : "tagfabric");
    row.put("bytes", options.bytes);
    put(row, "usec", side.usec);
    row.put("cpu_usec", middle(side.cpu));
    row.put("allocated", side.spending.allocatedPerMessage());
    if (akka != null) {
      double[] faster = new double[options.runs()];
      Arrays.setAll(faster, run -> akka.usec[run] / side.usec[run]);
      put(row, "faster", faster);
    }
    row.put("runs", options.runs());
    row.put("messages", side.count);
    if (work.equals(TELL)) {
      row.put("window", options.window);
      row.put("received", side.received / options.runs());
    }
    row.put("provider", side.byAkka ? "artery" : options.provider);
    row.put("by_artery", actors.counters().byArtery());
    return row;
  }

  private static void put(Map<String, Object> row, String name, double[] values) {
    row.put(name, middle(values));
    row.put(name + "_min", Arrays.stream(values).min().orElseThrow());
    row.put(name + "_max", Arrays.stream(values).max().orElseThrow());
  }

  private static double middle(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
