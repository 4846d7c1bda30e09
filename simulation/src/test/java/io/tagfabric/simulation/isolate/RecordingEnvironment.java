package io.tagfabric.simulation.isolate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/** An environment that writes down what a program asks for; its time stands still. */
final class RecordingEnvironment extends JvmEnvironment {
  static final Instant NOW = Instant.parse("2001-02-03T04:05:06.007Z");
  static final long NANO_TIME = 123_456;

  /** Thrown in the place of an end, which does not return. */
  static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1;

    Ended(String how) {
      super(how);
    }
  }

  final List<Duration> sleeps = new ArrayList<>();
  final List<Thread> hooks = new ArrayList<>();
  final List<String> started = new CopyOnWriteArrayList<>();
  final ByteArrayOutputStream out;
  final ByteArrayOutputStream err;
  int waits;
  boolean refusing;
  private final Random seeds;

  RecordingEnvironment(int rank, long seed) {
    this(rank, seed, new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }

  private RecordingEnvironment(
      int rank, long seed, ByteArrayOutputStream out, ByteArrayOutputStream err) {
    super(
        Map.of("RANK", Integer.toString(rank)),
        new ByteArrayInputStream("input".getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
    this.out = out;
    this.err = err;
    seeds = new Random(seed);
  }

  @Override
  public long nanoTime() {
    return NANO_TIME;
  }

  @Override
  public Clock clock() {
    return Clock.fixed(NOW, ZoneOffset.UTC);
  }

  @Override
  public void sleep(Duration time) {
    sleeps.add(time);
  }

  @Override
  public void park(long timeNs) {
    sleeps.add(Duration.ofNanos(timeNs));
  }

  @Override
  public void await(BooleanSupplier ready, long timeoutNs) {
    waits++;
  }

  @Override
  public void start(Thread thread) {
    started.add(thread.getClass().getSimpleName());
    super.start(thread);
  }

  @Override
  public ThreadFactory threads() {
    return task -> new Thread(task, "of the rank");
  }

  @Override
  public Executor executor() {
    return task -> new Thread(task, "of the executor").start();
  }

  @Override
  public long nextLong() {
    return seeds.nextLong();
  }

  @Override
  public void exit(int code) {
    throw new Ended("exit " + code);
  }

  @Override
  public void halt(int code) {
    throw new Ended("halt " + code);
  }

  @Override
  public void addShutdownHook(Thread hook) {
    hooks.add(hook);
  }

  @Override
  public boolean removeShutdownHook(Thread hook) {
    return hooks.remove(hook);
  }

  @Override
  public void onForeignCall(ForeignCall call) {
    if (refusing) {
      throw new UnsupportedOperationException(call.refusal("a simulation"));
    }
    super.onForeignCall(call);
  }
}
