package io.tagfabric.simulation.isolate;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.InputStream;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A rank in real time, on real threads: all that ranks can share comes from the JVM, and the rank
 * has variables, properties and streams of its own. How it ends is for subclasses to say. Thread:
 * any.
 */
public abstract class JvmEnvironment implements ProgramEnvironment {
  private static final SecureRandom SEEDS = new SecureRandom();

  private final Map<String, String> variables;
  private final Properties properties = new Properties();
  private volatile InputStream in;
  private volatile PrintStream out;
  private volatile PrintStream err;

  /**
   * @param variables of the rank's environment
   */
  protected JvmEnvironment(
      Map<String, String> variables, InputStream in, PrintStream out, PrintStream err) {
    this.variables = Map.copyOf(variables);
    this.properties.putAll(System.getProperties());
    this.in = in;
    this.out = out;
    this.err = err;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Clock clock() {
    return Clock.system(ZoneId.systemDefault());
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  @Override
  public void park(long timeNs) {
    if (timeNs == 0) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, timeNs);
    }
  }

  @Override
  public void await(BooleanSupplier ready, long timeoutNs) {
    // the call itself waits
  }

  @Override
  public boolean isCooperative() {
    return false;
  }

  @Override
  public void start(Thread thread) {
    thread.start();
  }

  @Override
  public ThreadFactory threads() {
    return Executors.defaultThreadFactory();
  }

  /** Of the JVM; its threads belong to no rank. */
  @Override
  public Executor executor() {
    return ForkJoinPool.commonPool();
  }

  @Override
  public long nextLong() {
    return SEEDS.nextLong();
  }

  @Override
  public Map<String, String> variables() {
    return variables;
  }

  @Override
  public Properties properties() {
    return properties;
  }

  /** The properties that the program has set, as settings. */
  public Config changedProperties() {
    Properties changed = new Properties();
    for (String name : properties.stringPropertyNames()) {
      String value = properties.getProperty(name);
      if (!value.equals(System.getProperty(name))) {
        changed.setProperty(name, value);
      }
    }
    return ConfigFactory.parseProperties(changed);
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
    if (call.kind() == ForeignCall.Kind.SIGNAL) {
      throw new UnsupportedOperationException(call.refusal("a JVM with several ranks"));
    }
  }
}
