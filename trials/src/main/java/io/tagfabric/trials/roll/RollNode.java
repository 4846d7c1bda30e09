package io.tagfabric.trials.roll;

import akka.Done;
import akka.actor.BootstrapSetup;
import akka.actor.CoordinatedShutdown;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.actor.FabricSetup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.LoggerFactory;

/**
 * The program of a node that {@link RollCommand} starts. It obeys lines of its standard input and
 * answers by lines that begin with {@link #SAYS}. It ends when its input does, so that no node is
 * left behind by a command that was killed.
 */
public final class RollNode {
  static final String SAYS = "@";
  static final String PEERS = "peers";
  static final String PHASE = "phase";
  static final String COUNTERS = "counters";
  static final String QUIET = "quiet";
  static final String LEAVE = "leave";

  private static final int ABANDONED = 4;
  private static final long LIMIT_S = 900;
  private static final String SYSTEM = "roll";

  private final NodeSpec spec;
  private final Book book;
  private final Object output = new Object();
  private volatile boolean leaves;
  private final TreeSet<String> others = new TreeSet<>();
  private final ActorSystem<Talker.Begin> system;

  /** Null without Tagfabric. */
  private final Traffic traffic;

  private final CompletableFuture<ActorRef<Talker.Command>> talker = new CompletableFuture<>();

  private RollNode(NodeSpec spec) {
    this.spec = spec;
    book = new Book(spec.name());
    BootstrapSetup bootstrap = BootstrapSetup.create(config());
    ActorSystemSetup setup =
        spec.build().fabric()
            ? ActorSystemSetup.create(bootstrap, FabricSetup.create())
            : ActorSystemSetup.create(bootstrap);
    system = ActorSystem.create(Talker.guardian(spec, book), SYSTEM, setup);
    traffic = spec.build().fabric() ? new Traffic(system, spec, book, this::sayPeers) : null;
    system.tell(new Talker.Begin(new Heard(), talker));
  }

  /** Runs as a node. */
  public static void main(String[] args) throws Exception {
    if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.WARN);
    }
    Thread limit = new Thread(RollNode::endAtLimit, "roll-limit");
    limit.setDaemon(true);
    limit.start();
    NodeSpec spec = NodeSpec.parse(args);
    spec.defect().ifPresent(Defect::load);
    new RollNode(spec).run();
    System.exit(0);
  }

  private static void endAtLimit() {
    try {
      TimeUnit.SECONDS.sleep(LIMIT_S);
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ABANDONED);
  }

  private Config config() {
    String seeds =
        IntStream.range(0, spec.ports().size())
            .filter(place -> spec.joinsItself() == (place == spec.place()))
            .mapToObj(
                place -> "\"akka://" + SYSTEM + "@127.0.0.1:" + spec.ports().get(place) + "\"")
            .collect(Collectors.joining(", "));
    String text =
        """
        akka.loglevel = WARNING
        akka.log-dead-letters = off
        akka.log-dead-letters-during-shutdown = off
        akka.actor.provider = cluster
        akka.actor.allow-java-serialization = off
        akka.actor.serializers.roll = "io.tagfabric.trials.roll.TalkSerializer"
        akka.actor.serialization-identifiers."io.tagfabric.trials.roll.TalkSerializer" = %d
        akka.actor.serialization-bindings."io.tagfabric.trials.roll.Talker$Wire" = roll
        akka.remote.artery.transport = tcp
        akka.remote.artery.canonical { hostname = "127.0.0.1", port = %d }
        akka.cluster.seed-nodes = [%s]
        akka.cluster.shutdown-after-unsuccessful-join-seed-nodes = 60 s
        akka.cluster.roles = [%s]
        akka.cluster.jmx.enabled = off
        akka.cluster.gossip-interval = 200 ms
        akka.cluster.leader-actions-interval = 200 ms
        akka.cluster.failure-detector.acceptable-heartbeat-pause = 4 s
        akka.cluster.distributed-data.gossip-interval = 500 ms
        akka.cluster.distributed-data.notify-subscribers-interval = 100 ms
        akka.cluster.downing-provider-class = "akka.cluster.sbr.SplitBrainResolverProvider"
        akka.cluster.split-brain-resolver.stable-after = %d s
        akka.cluster.split-brain-resolver.down-all-when-unstable = off
        akka.coordinated-shutdown.exit-jvm = off
        akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
        tagfabric.progress.spin = 0 us
        %s
        """
            .formatted(
                TalkSerializer.IDENTIFIER,
                spec.port(),
                seeds,
                spec.build().fabric() ? Traffic.ROLE : "",
                spec.stableAfterS(),
                spec.build().fabric() ? "tagfabric.job.key = " + spec.build().jobKey() : "");
    return ConfigFactory.parseString(text).withFallback(ConfigFactory.load());
  }

  private void run() throws Exception {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Thread reader =
        new Thread(
            () -> {
              try {
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                  obey(line);
                }
              } catch (IOException closed) {
                // as at its end
              }
              Runtime.getRuntime().halt(ABANDONED);
            },
            "roll-input");
    reader.setDaemon(true);
    reader.start();
    system.getWhenTerminated().toCompletableFuture().join();
    if (leaves) {
      Files.write(spec.book(), book.lines());
    } else {
      System.out.println("the ActorSystem has ended and nobody has told it to");
      System.exit(1);
    }
  }

  private void obey(String line) {
    switch (line) {
      case PHASE ->
          new Thread(
                  () -> {
                    try {
                      say(PHASE + " " + traffic.phase());
                    } catch (Exception failure) {
                      say(PHASE + " " + failure);
                    }
                  },
                  "roll-phase")
              .start();
      case COUNTERS -> {
        FabricActors.Counters counters = FabricActors.get(system).counters();
        say(COUNTERS + " " + counters.sent() + " " + counters.byArtery());
      }
      case QUIET -> {
        CompletableFuture<Done> quiet = new CompletableFuture<>();
        talker.join().tell(new Talker.BecomeQuiet(quiet));
        quiet.join();
        if (traffic != null) {
          traffic.settle();
        }
        say(QUIET);
      }
      case LEAVE -> {
        leaves = true;
        CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.clusterLeavingReason());
      }
      default -> System.out.println("line [" + line + "] is no command of a node");
    }
  }

  private void say(String line) {
    synchronized (output) {
      System.out.println(SAYS + line);
      System.out.flush();
    }
  }

  private void sayPeers() {
    synchronized (output) {
      say(
          PEERS
              + " ="
              + String.join(",", others)
              + " ="
              + (traffic == null ? "" : String.join(",", traffic.connected())));
    }
  }

  /** Says who is there, and hands on to the traffic by fabric, if there is any. */
  private final class Heard implements Talker.Others {
    @Override
    public void onCome(String node) {
      synchronized (output) {
        others.add(node);
      }
      if (traffic != null) {
        traffic.onCome(node);
      }
      sayPeers();
    }

    @Override
    public void onLeave(String node) {
      if (traffic != null) {
        traffic.onLeave(node);
      }
    }

    @Override
    public void onGone(String node) {
      synchronized (output) {
        others.remove(node);
      }
      if (traffic != null) {
        traffic.onGone(node);
      }
      sayPeers();
    }

    @Override
    public void onTick() {
      if (traffic != null) {
        traffic.onTick();
      }
    }

    @Override
    public void onStop() {
      if (traffic != null) {
        traffic.onStop();
      }
    }
  }
}
