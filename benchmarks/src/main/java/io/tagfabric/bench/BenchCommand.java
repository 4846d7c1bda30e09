package io.tagfabric.bench;

import io.tagfabric.bench.collective.CollectiveCommand;
import io.tagfabric.bench.collective.MembersCommand;
import io.tagfabric.bench.compare.CompareCommand;
import io.tagfabric.bench.compare.MatchingComparison;
import io.tagfabric.bench.compare.PairsComparison;
import io.tagfabric.bench.compare.WakeComparison;
import io.tagfabric.bench.guard.GuardCommand;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.ours.ActorBench;
import io.tagfabric.bench.ours.ActorOptions;
import io.tagfabric.bench.ours.AmBench;
import io.tagfabric.bench.ours.AmOptions;
import io.tagfabric.bench.ours.BothWaysOptions;
import io.tagfabric.bench.ours.CpuBench;
import io.tagfabric.bench.ours.CpuOptions;
import io.tagfabric.bench.ours.CrowdBench;
import io.tagfabric.bench.ours.CrowdedPairsOptions;
import io.tagfabric.bench.ours.FanInOptions;
import io.tagfabric.bench.ours.MatchingBench;
import io.tagfabric.bench.ours.MatchingOptions;
import io.tagfabric.bench.ours.MemoryBench;
import io.tagfabric.bench.ours.MemoryOptions;
import io.tagfabric.bench.ours.MessageBench;
import io.tagfabric.bench.ours.MessageOptions;
import io.tagfabric.bench.ours.PairsOptions;
import io.tagfabric.bench.ours.PeersBench;
import io.tagfabric.bench.ours.PeersOptions;
import io.tagfabric.bench.ours.RmaBench;
import io.tagfabric.bench.ours.RmaOptions;
import io.tagfabric.bench.ours.StreamOptions;
import io.tagfabric.bench.ours.WakeOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric bench}: measures Tagfabric, also beside its peers. */
@Command(
    name = "bench",
    description =
        "Measure latency, rate, bandwidth, bibw, matching, memory, rma, am, ask, tell, peers,"
            + " fan-in, pairs, crowd, wake, cpu, collectives, also beside peers or another build.",
    synopsisSubcommandLabel = "KIND",
    subcommands = {
      BenchCommand.Latency.class,
      BenchCommand.Rate.class,
      BenchCommand.Bandwidth.class,
      BenchCommand.BothWays.class,
      BenchCommand.Matching.class,
      BenchCommand.Memory.class,
      BenchCommand.Rma.class,
      BenchCommand.Am.class,
      BenchCommand.Ask.class,
      BenchCommand.Tell.class,
      BenchCommand.Peers.class,
      BenchCommand.FanIn.class,
      BenchCommand.Pairs.class,
      BenchCommand.CrowdOfPairs.class,
      BenchCommand.Wake.class,
      BenchCommand.Cpu.class,
      CollectiveCommand.class,
      MembersCommand.class,
      CompareCommand.class,
      GuardCommand.class
    },
    footer = {
      "",
      "Example: tagfabric bench latency",
      "         tagfabric bench rate --provider artery --vs akka --json"
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to measure: " + String.join(", ", spec.subcommands().keySet()));
  }

  /** Ping-pong. */
  @Command(
      name = "latency",
      description = "Half the round trip of a message.",
      footer = {
        "",
        "usec/xfer is the mean of the run in the middle, p50 and p99 are its",
        "percentiles. A ratio is ours divided by the peer's, in usec/xfer, of runs side",
        "by side: below 1 we are faster."
      })
  static final class Latency implements Callable<Integer> {
    @Mixin private MessageOptions options = new MessageOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return new MessageBench(TransferKind.LATENCY, options).start(spec.commandLine());
    }
  }

  /** Stream with a window. */
  @Command(
      name = "rate",
      description = "Messages a second in one direction.",
      footer = {
        "",
        "The receiver acknowledges every half window; p50 and p99 are of the time",
        "between two acknowledgements, a message. A ratio is ours divided by the",
        "peer's, in messages a second, of runs side by side: above 1 we are faster."
      })
  static final class Rate implements Callable<Integer> {
    @Mixin private StreamOptions options = new StreamOptions(StreamOptions.RATE_WINDOW);
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return new MessageBench(TransferKind.RATE, options).start(spec.commandLine());
    }
  }

  /** Stream of long messages. */
  @Command(
      name = "bandwidth",
      description = "Bytes a second in one direction.",
      footer = {
        "",
        "As rate, with long messages and a window of 64; MB are millions of bytes. A",
        "ratio is ours divided by the peer's, in MB/s, of runs side by side: above 1 we",
        "are faster."
      })
  static final class Bandwidth implements Callable<Integer> {
    @Mixin private StreamOptions options = new StreamOptions(StreamOptions.BANDWIDTH_WINDOW);
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return new MessageBench(TransferKind.BANDWIDTH, options).start(spec.commandLine());
    }
  }

  /** Streams both ways. */
  @Command(
      name = "bibw",
      description = "Bytes a second in both directions at once.",
      footer = {
        "",
        "Each side sends as bandwidth does and receives meanwhile; MB/sec counts the",
        "bytes of both. What comes acknowledges what was sent: a half window leaves",
        "when the other side's half window before last has come. p50 and p99 are of the",
        "time between two of these, divided by the messages of both."
      })
  static final class BothWays implements Callable<Integer> {
    @Mixin private BothWaysOptions options = new BothWaysOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return new MessageBench(TransferKind.BIBW, options).start(spec.commandLine());
    }
  }

  /** Matching at depths. */
  @Command(
      name = "matching",
      description = "Time to match a message among many.",
      footer = {
        "",
        "posted: receives with different tags wait, their messages come in reverse",
        "order; the time is of sending and matching all. unexpected: messages wait,",
        "their receives are posted in reverse order; the time is of posting and",
        "matching all. probe: messages wait, the last of them is peeked at again and",
        "again; the time is of one peek and reading its completion. Messages have 8",
        "bytes."
      })
  static final class Matching implements Callable<Integer> {
    @Mixin private MatchingOptions options = new MatchingOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return options.hasPeer()
          ? new MatchingComparison(options).start(spec.commandLine())
          : new MatchingBench(options).start(spec.commandLine());
    }
  }

  /** Memory and garbage. */
  @Command(
      name = "memory",
      description = "Memory held, and bytes allocated a message.",
      footer = {
        "",
        "heap is what is reachable after collection, direct the JVM's buffers outside",
        "the heap, /dev/shm what this process has touched of mapped files there.",
        "allocated counts bytes of new objects in all threads of the side, freed or",
        "not."
      })
  static final class Memory implements Callable<Integer> {
    @Mixin private MemoryOptions options = new MemoryOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return new MemoryBench(options).start(spec.commandLine());
    }
  }

  /** Access to memory of peers. */
  @Command(
      name = "rma",
      description = "Access to memory of the other side.",
      footer = {
        "",
        "Each access begins when the one before is done at the other side. usec is",
        "of one access, the median of the runs; of write-signal and of tagged, which",
        "is no access, it is half a round trip. reach says who moves the bytes:",
        "direct, this side itself; loop, that of the owner. Of fetch-add all numbers",
        "are added up in the end: a wrong sum ends with exit code 1."
      })
  static final class Rma implements Callable<Integer> {
    @Mixin private RmaOptions options = new RmaOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return new RmaBench(options).start(spec.commandLine());
    }
  }

  /** Active messages. */
  @Command(
      name = "am",
      description = "Active messages beside tagged ones.",
      footer = {
        "",
        "Each begins when the one before has ended. usec is of a whole round trip, the",
        "median of the runs: tagged, 8 bytes to and fro; request-reply, two arguments",
        "to a handler and two back; medium, a payload to a handler, whose reply is",
        "empty: copied from an array; medium-claim, written into the packet; and",
        "medium-buffer, sent from a buffer of the program. What is compared takes turns.",
        "ratio compares with tagged.",
        "",
        "Example: tagfabric bench am --provider shm"
      })
  static final class Am implements Callable<Integer> {
    @Mixin private AmOptions options = new AmOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return AmBench.start(options, spec.commandLine());
    }
  }

  /** Asks of actors. */
  @Command(
      name = "ask",
      description = "Akka's ask of an actor of the other rank.",
      footer = {
        "",
        "Each begins when the one before is answered. usec is of a whole ask, the median",
        "of the runs; cpu is of both processes together. loop: actors on the loops by",
        "which messages come; wait: a thread asks and drives its loop meanwhile; actors:",
        "actors on Akka's threads; thread: a thread of the application asks and joins.",
        "faster says how many times as fast as Akka's own reference, of runs side by",
        "side: in loop and actors an actor asks by it, in wait and thread a thread.",
        "",
        "Example: tagfabric bench ask --provider shm --vs akka"
      })
  static final class Ask implements Callable<Integer> {
    @Mixin private ActorOptions options = new ActorOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return ActorBench.start(ActorBench.ASK, options, spec.commandLine());
    }
  }

  /** Tells to actors. */
  @Command(
      name = "tell",
      description = "Messages told to an actor of the other rank, within a window.",
      footer = {
        "",
        "The target acknowledges every half window. usec is of a message, the median of",
        "the runs, in which none may be lost. Ways and faster are those of ask.",
        "",
        "Example: tagfabric bench tell --provider shm --vs akka"
      })
  static final class Tell implements Callable<Integer> {
    @Mixin private ActorOptions options = new ActorOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return ActorBench.start(ActorBench.TELL, options, spec.commandLine());
    }
  }

  /** Messages beside silent peers. */
  @Command(
      name = "peers",
      description = "Messages of one peer beside many that say nothing.",
      footer = {
        "",
        "Peers are endpoints of a second JVM; each has sent one message. half_rtt_ns is",
        "the median of half a round trip with one more endpoint of that JVM,",
        "ns_a_message the mean in one direction with 64 under way, 8 bytes each; both",
        "are the middle of the runs. ratio compares with the first row. held_kb is what",
        "the process that measures holds more than in the first row, in thousands of",
        "bytes: reachable objects, direct buffers, what it has touched of /dev/shm.",
        "",
        "Example: tagfabric bench peers --count 1,10,100,1000",
        "         tagfabric bench peers --provider aeron --domains --count 1,10"
      })
  static final class Peers implements Callable<Integer> {
    @Mixin private PeersOptions options = new PeersOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return PeersBench.start(options, spec.commandLine());
    }
  }

  /** Pairs of ranks at the same time. */
  @Command(
      name = "pairs",
      description = "Messages a second of several pairs of ranks at once.",
      footer = {
        "",
        "The first half of the ranks sends as rate does, each to one of the second half;",
        "a figure is the sum of all pairs, the median of the runs, each in new processes.",
        "With --vs the peer has as many processes, and a ratio is ours divided by theirs",
        "of runs side by side: above 1 we are faster.",
        "",
        "Example: tagfabric bench pairs --count 1,2,4 --vs openmpi"
      })
  static final class Pairs implements Callable<Integer> {
    @Mixin private PairsOptions options = new PairsOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return PairsComparison.start(options, spec.commandLine());
    }
  }

  /** Many senders, one receiver. */
  @Command(
      name = "fan-in",
      description = "Messages of many ranks to one, and how evenly it serves them.",
      footer = {
        "",
        "Every sender is a JVM and has a window of messages of 8 bytes under way to",
        "rank 0, which receives from any source. messages/s is of all together, the",
        "middle of the runs; ratio compares with the first row, runs side by side. A",
        "share is what a sender has of all messages. jain is Jain's fairness index: 1",
        "if all have the same, 1/n if one of n has all. Rank 0 numbers what it gets: a",
        "lost message ends the command with an error.",
        "",
        "Example: tagfabric bench fan-in --senders 1,2,4,15"
      })
  static final class FanIn implements Callable<Integer> {
    @Mixin private FanInOptions options = new FanInOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return CrowdBench.start(options, spec.commandLine());
    }
  }

  /** Many pairs of ranks. */
  @Command(
      name = "crowd",
      description = "Messages of many pairs of ranks at once, beside those of one pair.",
      footer = {
        "",
        "Every rank is a JVM; in each pair one has a window of messages of 8 bytes under",
        "way to the other. messages/s is of all pairs together, the middle of the runs.",
        "Rows take turns; ratio compares with the first row of the same turn. Ranks that",
        "have no part in a row sleep. A share is what a pair has of all messages, jain",
        "is Jain's fairness index of that.",
        "",
        "Example: tagfabric bench crowd --ranks 2,16"
      })
  static final class CrowdOfPairs implements Callable<Integer> {
    @Mixin private CrowdedPairsOptions options = new CrowdedPairsOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return CrowdBench.start(options, spec.commandLine());
    }
  }

  /** Messages to one that sleeps. */
  @Command(
      name = "wake",
      description = "A message after silence, when the receiver sleeps.",
      footer = {
        "",
        "Half of the round trip: the median, the 99th percentile and the mean of a run,",
        "of which the one in the middle is shown. idle_cpu_%% is what the threads that",
        "make progress for the receiver take of a core while nobody sends. ratio is ours",
        "divided by the peer's, medians of runs side by side; c sleeps in eventfds.",
        "",
        "Example: tagfabric bench wake --gap 1ms --vs c --progress auto"
      })
  static final class Wake implements Callable<Integer> {
    @Mixin private WakeOptions options = new WakeOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return WakeComparison.start(options, spec.commandLine());
    }
  }

  /** Processor time of both ends. */
  @Command(
      name = "cpu",
      description = "Processor time of both ends of a message, beside a plain TCP socket.",
      footer = {
        "",
        "One thread drives two domains of one JVM, so other work on the machine does not",
        "count. cpu_usec is of a message, sent and received: the median, least and most",
        "of the runs; others is the part of other threads of the JVM. socket_usec is what",
        "a TCP connection over loopback takes for the same, ratio ours divided by that,",
        "of runs side by side. In a stream of the socket, messages that follow each other",
        "leave together.",
        "",
        "Example: tagfabric bench cpu --provider aeron"
      })
  static final class Cpu implements Callable<Integer> {
    @Mixin private CpuOptions options = new CpuOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return CpuBench.start(options, spec.commandLine());
    }
  }
}
