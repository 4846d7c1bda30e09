package io.tagfabric.simulation.job;

import io.tagfabric.runtime.ProcessEnded;
import io.tagfabric.simulation.isolate.ForeignCall;
import io.tagfabric.simulation.isolate.ProgramEnvironment;
import io.tagfabric.simulation.world.VirtualClock;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What the program of a simulated rank gets instead of its JVM. Thread: the rank's. */
final class RankProgram implements ProgramEnvironment {
  /** A thread that parks without a limit wakes for no reason now and then, as it may. */
  private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final SimulatedRank rank;
  private final VirtualClock clock;
  private final Map<String, String> variables;
  private final SplittableRandom random;
  private final Properties properties = new Properties();
  private InputStream in = InputStream.nullInputStream();
  private PrintStream out;
  private PrintStream err;

  RankProgram(
      SimulatedRank rank,
      VirtualClock clock,
      Map<String, String> variables,
      long seed,
      Consumer<String> output) {
    this.rank = rank;
    this.clock = clock;
    this.variables = Map.copyOf(variables);
    random = new SplittableRandom(seed);
    properties.putAll(System.getProperties());
    out = stream(output);
    err = stream(output);
  }

  private PrintStream stream(Consumer<String> output) {
    return new PrintStream(new Lines(output), true, StandardCharsets.UTF_8);
  }

  /** Hands on whole lines behind the number of the rank; of a rank that has ended nothing. */
  private final class Lines extends OutputStream {
    private final Consumer<String> output;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(Consumer<String> output) {
      this.output = output;
    }

    @Override
    public void write(int each) {
      if (each != '\n') {
        line.write(each);
        return;
      }
      if (!rank.hasEnded()) {
        output.accept("[" + rank.number() + "] " + line.toString(StandardCharsets.UTF_8));
      }
      line.reset();
    }
  }

  @Override
  public long nanoTime() {
    return clock.nanoTime();
  }

  @Override
  public Clock clock() {
    return new RankClock(ZoneOffset.UTC);
  }

  private final class RankClock extends Clock {
    private final ZoneId zone;

    RankClock(ZoneId zone) {
      this.zone = zone;
    }

    @Override
    public ZoneId getZone() {
      return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
      return new RankClock(other);
    }

    @Override
    public Instant instant() {
      return rank.wallClock().instant();
    }
  }

  @Override
  public void sleep(Duration time) {
    long deadlineNs = rank.threads().deadline(time.toNanos());
    rank.threads().await(() -> clock.nanoTime() >= deadlineNs, deadlineNs);
  }

  @Override
  public void park(long timeNs) {
    clock.park(this, timeNs == 0 ? PARK_NS : timeNs);
  }

  @Override
  public void await(BooleanSupplier ready, long timeoutNs) {
    rank.threads().await(ready, rank.threads().deadline(timeoutNs));
  }

  @Override
  public boolean isCooperative() {
    return true;
  }

  @Override
  public void start(Thread thread) {
    throw refusal("java.lang.Thread.start", "do the work on the thread of main");
  }

  @Override
  public ThreadFactory threads() {
    throw refusal("an executor with threads of its own", "do the work on the thread of main");
  }

  private static UnsupportedOperationException refusal(String what, String cure) {
    return new UnsupportedOperationException(
        "the program uses " + what + ", which a simulation does not have; " + cure);
  }

  @Override
  public Executor executor() {
    return task -> rank.threads().begin("task", task);
  }

  @Override
  public long nextLong() {
    return random.nextLong();
  }

  @Override
  public void exit(int code) {
    rank.process().exit(code);
  }

  @Override
  public void halt(int code) {
    rank.process().halt(code);
  }

  @Override
  public void addShutdownHook(Thread hook) {
    rank.process().add(hook, hook);
  }

  @Override
  public boolean removeShutdownHook(Thread hook) {
    return rank.process().remove(hook);
  }

  @Override
  public Map<String, String> variables() {
    return variables;
  }

  @Override
  public Properties properties() {
    return properties;
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public PrintStream out() {
    return out;
  }

  @Override
  public PrintStream err() {
    return err;
  }

  @Override
  public void setIn(InputStream stream) {
    in = stream;
  }

  @Override
  public void setOut(PrintStream stream) {
    out = stream;
  }

  @Override
  public void setErr(PrintStream stream) {
    err = stream;
  }

  @Override
  public void onForeignCall(ForeignCall call) {
    if (rank.hasEnded()) {
      throw new ProcessEnded("rank " + rank.number() + " has ended");
    }
    throw new UnsupportedOperationException(call.refusal("a simulation"));
  }
}
