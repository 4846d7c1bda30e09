package io.tagfabric.simulation.isolate;

import com.typesafe.config.Config;
import io.tagfabric.cluster.settings.Settings;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * What the classes of a program call instead of the JDK. Every {@link ProgramLoader} has this class
 * once more, so its statics are those of one rank; and since it lies in another run-time package
 * than the rest of this one then, it uses nothing here that is not public.
 *
 * <p>A method that is marked {@link Instead} takes the place of a whole call; the others give
 * arguments to variants of calls that take the time, the seed or the threads from outside.
 */
@SuppressWarnings("unused") // called by programs only
public final class Calls {
  private static final ProgramEnvironment HERE =
      ((ProgramLoader) Calls.class.getClassLoader()).environment();
  private static final Random RANDOM = new Random(HERE.nextLong());

  private Calls() {}

  // --- arguments

  /** For constructors of random generators. */
  public static long seed() {
    return HERE.nextLong();
  }

  /** For {@code now} of the classes of {@code java.time}. */
  public static Clock clock() {
    return HERE.clock();
  }

  /** The same in a zone; {@code now(ZoneId)} has put that on the stack. */
  public static Clock clock(ZoneId zone) {
    return HERE.clock().withZone(zone);
  }

  /** For executors that name no threads. */
  public static ThreadFactory threads() {
    return HERE.threads();
  }

  /** For stages that name no executor. */
  public static Executor executor() {
    return HERE.executor();
  }

  /** In the place of the field {@link System#in}. */
  public static InputStream in() {
    return HERE.in();
  }

  /** In the place of the field {@link System#out}. */
  public static PrintStream out() {
    return HERE.out();
  }

  /** In the place of the field {@link System#err}. */
  public static PrintStream err() {
    return HERE.err();
  }

  /** Comes before a call that has no replacement. */
  public static void foreign(String kind, String callee, String caller) {
    HERE.onForeignCall(new ForeignCall(ForeignCall.Kind.valueOf(kind), callee, caller));
  }

  // --- time

  @Instead(of = System.class)
  public static long nanoTime() {
    return HERE.nanoTime();
  }

  @Instead(of = System.class)
  public static long currentTimeMillis() {
    return HERE.clock().millis();
  }

  @Instead(of = Clock.class)
  public static Clock systemUTC() {
    return HERE.clock().withZone(ZoneOffset.UTC);
  }

  @Instead(of = Clock.class)
  public static Clock systemDefaultZone() {
    return HERE.clock();
  }

  @Instead(of = Clock.class, method = "system")
  public static Clock systemClock(ZoneId zone) {
    return HERE.clock().withZone(zone);
  }

  @Instead(of = Clock.class)
  public static Clock tickMillis(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofMillis(1));
  }

  @Instead(of = Clock.class)
  public static Clock tickSeconds(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofSeconds(1));
  }

  @Instead(of = Clock.class)
  public static Clock tickMinutes(ZoneId zone) {
    return Clock.tick(clock(zone), Duration.ofMinutes(1));
  }

  @Instead(of = Calendar.class, method = "getInstance")
  public static Calendar calendar() {
    Calendar calendar = Calendar.getInstance();
    calendar.setTimeInMillis(currentTimeMillis());
    return calendar;
  }

  @Instead(of = Thread.class)
  public static void sleep(long millis) throws InterruptedException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    HERE.sleep(Duration.ofMillis(millis));
  }

  @Instead(of = Thread.class)
  public static void sleep(long millis, int nanos) throws InterruptedException {
    HERE.sleep(Duration.ofMillis(millis).plusNanos(nanos));
  }

  /** Of JDK 19 and later. */
  public static void sleep(Duration time) throws InterruptedException {
    HERE.sleep(time);
  }

  @Instead(of = TimeUnit.class)
  public static void sleep(TimeUnit unit, long time) throws InterruptedException {
    if (time > 0) {
      HERE.sleep(Duration.ofNanos(unit.toNanos(time)));
    }
  }

  @Instead(of = LockSupport.class)
  public static void park() {
    HERE.park(0);
  }

  @Instead(of = LockSupport.class)
  public static void park(Object blocker) {
    HERE.park(0);
  }

  @Instead(of = LockSupport.class)
  public static void parkNanos(long nanos) {
    if (nanos > 0) {
      HERE.park(nanos);
    }
  }

  @Instead(of = LockSupport.class)
  public static void parkNanos(Object blocker, long nanos) {
    parkNanos(nanos);
  }

  @Instead(of = LockSupport.class)
  public static void parkUntil(long deadline) {
    parkNanos(TimeUnit.MILLISECONDS.toNanos(deadline - currentTimeMillis()));
  }

  // --- random numbers

  @Instead(of = Math.class, method = "random")
  public static double mathRandom() {
    return RANDOM.nextDouble();
  }

  @Instead(of = StrictMath.class, method = "random")
  public static double strictMathRandom() {
    return RANDOM.nextDouble();
  }

  /**
   * In the place of {@link ThreadLocalRandom#current}; the class is no {@link Random} to extend.
   */
  public static Random current() {
    return RANDOM;
  }

  @Instead(of = UUID.class)
  public static UUID randomUUID() {
    long version = RANDOM.nextLong() & ~0xF000L | 0x4000L;
    long variant = RANDOM.nextLong() >>> 2 | Long.MIN_VALUE;
    return new UUID(version, variant);
  }

  @Instead(of = SecureRandom.class)
  public static SecureRandom getInstanceStrong() {
    return new RankSecureRandom(seed());
  }

  @Instead(of = SecureRandom.class)
  public static SecureRandom getInstance(String algorithm) {
    return new RankSecureRandom(seed());
  }

  @Instead(of = RandomGenerator.class)
  public static RandomGenerator getDefault() {
    return RandomGeneratorFactory.getDefault().create(seed());
  }

  @Instead(of = RandomGenerator.class)
  public static RandomGenerator of(String name) {
    return RandomGeneratorFactory.of(name).create(seed());
  }

  @Instead(of = RandomGeneratorFactory.class)
  public static RandomGenerator create(RandomGeneratorFactory<?> factory) {
    return factory.create(seed());
  }

  @Instead(of = Collections.class)
  public static void shuffle(List<?> list) {
    Collections.shuffle(list, RANDOM);
  }

  // --- the process

  @Instead(of = System.class, method = "exit")
  public static void systemExit(int code) {
    HERE.exit(code);
  }

  @Instead(of = Runtime.class)
  public static void exit(Runtime runtime, int code) {
    HERE.exit(code);
  }

  @Instead(of = Runtime.class)
  public static void halt(Runtime runtime, int code) {
    HERE.halt(code);
  }

  @Instead(of = Runtime.class)
  public static void addShutdownHook(Runtime runtime, Thread hook) {
    HERE.addShutdownHook(hook);
  }

  @Instead(of = Runtime.class)
  public static boolean removeShutdownHook(Runtime runtime, Thread hook) {
    return HERE.removeShutdownHook(hook);
  }

  @Instead(of = System.class)
  public static String getenv(String name) {
    return HERE.variables().get(name);
  }

  @Instead(of = System.class)
  public static Map<String, String> getenv() {
    return HERE.variables();
  }

  @Instead(of = System.class)
  public static String getProperty(String name) {
    return HERE.properties().getProperty(requireName(name));
  }

  @Instead(of = System.class)
  public static String getProperty(String name, String otherwise) {
    return HERE.properties().getProperty(requireName(name), otherwise);
  }

  @Instead(of = System.class)
  public static String setProperty(String name, String value) {
    return (String) HERE.properties().setProperty(requireName(name), value);
  }

  @Instead(of = System.class)
  public static String clearProperty(String name) {
    return (String) HERE.properties().remove(requireName(name));
  }

  @Instead(of = System.class)
  public static Properties getProperties() {
    return HERE.properties();
  }

  private static String requireName(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("key can't be empty");
    }
    return name;
  }

  @Instead(of = Integer.class)
  public static Integer getInteger(String name) {
    return decoded(name, Integer::decode, null);
  }

  @Instead(of = Integer.class)
  public static Integer getInteger(String name, int otherwise) {
    return decoded(name, Integer::decode, otherwise);
  }

  @Instead(of = Long.class)
  public static Long getLong(String name) {
    return decoded(name, Long::decode, null);
  }

  @Instead(of = Long.class)
  public static Long getLong(String name, long otherwise) {
    return decoded(name, Long::decode, otherwise);
  }

  @Instead(of = Boolean.class)
  public static boolean getBoolean(String name) {
    return Boolean.parseBoolean(propertyOf(name));
  }

  private static <T> T decoded(String name, Function<String, T> decode, T otherwise) {
    String value = propertyOf(name);
    try {
      return value == null ? otherwise : decode.apply(value);
    } catch (NumberFormatException noNumber) {
      return otherwise;
    }
  }

  private static String propertyOf(String name) {
    return name == null || name.isEmpty() ? null : HERE.properties().getProperty(name);
  }

  @Instead(of = System.class)
  public static void setIn(InputStream in) {
    HERE.setIn(in);
  }

  @Instead(of = System.class)
  public static void setOut(PrintStream out) {
    HERE.setOut(out);
  }

  @Instead(of = System.class)
  public static void setErr(PrintStream err) {
    HERE.setErr(err);
  }

  // --- threads

  @Instead(of = Thread.class)
  public static void start(Thread thread) {
    HERE.start(thread);
  }

  @Instead(of = Executors.class)
  public static ExecutorService newFixedThreadPool(int threads) {
    return Executors.newFixedThreadPool(threads, threads());
  }

  @Instead(of = Executors.class)
  public static ExecutorService newCachedThreadPool() {
    return Executors.newCachedThreadPool(threads());
  }

  @Instead(of = Executors.class)
  public static ExecutorService newSingleThreadExecutor() {
    return Executors.newSingleThreadExecutor(threads());
  }

  @Instead(of = Executors.class)
  public static ScheduledExecutorService newScheduledThreadPool(int threads) {
    return Executors.newScheduledThreadPool(threads, threads());
  }

  @Instead(of = Executors.class)
  public static ScheduledExecutorService newSingleThreadScheduledExecutor() {
    return Executors.newSingleThreadScheduledExecutor(threads());
  }

  @Instead(of = Executors.class)
  public static ThreadFactory defaultThreadFactory() {
    return threads();
  }

  @Instead(of = CompletableFuture.class)
  public static <T> CompletableFuture<T> supplyAsync(Supplier<T> supplier) {
    return CompletableFuture.supplyAsync(supplier, executor());
  }

  @Instead(of = CompletableFuture.class)
  public static CompletableFuture<Void> runAsync(Runnable task) {
    return CompletableFuture.runAsync(task, executor());
  }

  // --- waits

  @Instead(of = Thread.class)
  public static void join(Thread thread) throws InterruptedException {
    HERE.await(() -> !thread.isAlive(), Long.MAX_VALUE);
    thread.join();
  }

  @Instead(of = Thread.class)
  public static void join(Thread thread, long millis) throws InterruptedException {
    HERE.await(
        () -> !thread.isAlive(),
        millis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millis));
    if (!HERE.isCooperative()) {
      thread.join(millis);
    }
  }

  @Instead(of = CountDownLatch.class, method = "await")
  public static void awaitLatch(CountDownLatch latch) throws InterruptedException {
    HERE.await(() -> latch.getCount() == 0, Long.MAX_VALUE);
    latch.await();
  }

  @Instead(of = CountDownLatch.class, method = "await")
  public static boolean awaitLatch(CountDownLatch latch, long time, TimeUnit unit)
      throws InterruptedException {
    HERE.await(() -> latch.getCount() == 0, unit.toNanos(time));
    return latch.await(leftOf(time), unit);
  }

  @Instead(of = Semaphore.class)
  public static void acquire(Semaphore semaphore) throws InterruptedException {
    HERE.await(() -> semaphore.availablePermits() > 0, Long.MAX_VALUE);
    semaphore.acquire();
  }

  @Instead(of = Semaphore.class)
  public static void acquire(Semaphore semaphore, int permits) throws InterruptedException {
    HERE.await(() -> semaphore.availablePermits() >= permits, Long.MAX_VALUE);
    semaphore.acquire(permits);
  }

  @Instead(of = Semaphore.class)
  public static boolean tryAcquire(Semaphore semaphore, long time, TimeUnit unit)
      throws InterruptedException {
    HERE.await(() -> semaphore.availablePermits() > 0, unit.toNanos(time));
    return semaphore.tryAcquire(leftOf(time), unit);
  }

  @Instead(of = Future.class)
  public static Object get(Future<?> future) throws InterruptedException, ExecutionException {
    HERE.await(future::isDone, Long.MAX_VALUE);
    return future.get();
  }

  @Instead(of = Future.class)
  public static Object get(Future<?> future, long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    HERE.await(future::isDone, unit.toNanos(time));
    return future.get(leftOf(time), unit);
  }

  @Instead(of = CompletableFuture.class, method = "join")
  public static Object joinFuture(CompletableFuture<?> future) {
    if (HERE.isCooperative()) {
      boolean interrupted = false;
      while (!future.isDone()) {
        try {
          HERE.await(future::isDone, Long.MAX_VALUE);
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return future.join();
  }

  @Instead(of = ExecutorService.class)
  public static boolean awaitTermination(ExecutorService executor, long time, TimeUnit unit)
      throws InterruptedException {
    HERE.await(executor::isTerminated, unit.toNanos(time));
    return executor.awaitTermination(leftOf(time), unit);
  }

  @Instead(of = ExecutorService.class)
  public static <T> List<Future<T>> invokeAll(
      ExecutorService executor, Collection<? extends Callable<T>> tasks)
      throws InterruptedException {
    if (!HERE.isCooperative()) {
      return executor.invokeAll(tasks);
    }
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> task : tasks) {
      futures.add(executor.submit(task));
    }
    for (Future<T> future : futures) {
      HERE.await(future::isDone, Long.MAX_VALUE);
    }
    return futures;
  }

  @Instead(of = BlockingQueue.class)
  public static Object take(BlockingQueue<?> queue) throws InterruptedException {
    HERE.await(() -> !queue.isEmpty(), Long.MAX_VALUE);
    return queue.take();
  }

  @Instead(of = BlockingQueue.class)
  public static Object poll(BlockingQueue<?> queue, long time, TimeUnit unit)
      throws InterruptedException {
    HERE.await(() -> !queue.isEmpty(), unit.toNanos(time));
    return queue.poll(leftOf(time), unit);
  }

  @Instead(of = BlockingQueue.class)
  public static <T> void put(BlockingQueue<T> queue, T item) throws InterruptedException {
    HERE.await(() -> queue.remainingCapacity() > 0, Long.MAX_VALUE);
    queue.put(item);
  }

  @Instead(of = BlockingQueue.class)
  public static <T> boolean offer(BlockingQueue<T> queue, T item, long time, TimeUnit unit)
      throws InterruptedException {
    HERE.await(() -> queue.remainingCapacity() > 0, unit.toNanos(time));
    return queue.offer(item, leftOf(time), unit);
  }

  @Instead(of = Lock.class)
  public static void lock(Lock lock) {
    if (!HERE.isCooperative()) {
      lock.lock();
      return;
    }
    boolean interrupted = false;
    while (!lock.tryLock()) {
      try {
        HERE.sleep(Duration.ZERO);
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static long leftOf(long time) {
    return HERE.isCooperative() ? 0 : time;
  }

  // --- Tagfabric's own

  @Instead(of = Settings.class, method = "of")
  public static Settings settings(Config config) {
    return Settings.of(config, HERE.variables());
  }

  // --- by reflection

  @Instead(of = Method.class)
  public static Object invoke(Method method, Object receiver, Object[] arguments)
      throws IllegalAccessException, InvocationTargetException {
    return Reflections.invoke(Calls.class, HERE, method, receiver, arguments);
  }

  @Instead(of = Constructor.class)
  public static Object newInstance(Constructor<?> constructor, Object[] arguments)
      throws IllegalAccessException, InvocationTargetException, InstantiationException {
    return Reflections.newInstance(Calls.class, HERE, constructor, arguments);
  }

  @Instead(of = MethodHandles.Lookup.class)
  public static MethodHandle findStatic(
      MethodHandles.Lookup lookup, Class<?> owner, String name, MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    return Reflections.findStatic(Calls.class, HERE, lookup, owner, name, type);
  }

  @Instead(of = MethodHandles.Lookup.class)
  public static MethodHandle findVirtual(
      MethodHandles.Lookup lookup, Class<?> owner, String name, MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    return Reflections.findVirtual(Calls.class, HERE, lookup, owner, name, type);
  }

  @Instead(of = MethodHandles.Lookup.class)
  public static MethodHandle findConstructor(
      MethodHandles.Lookup lookup, Class<?> owner, MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    return Reflections.findConstructor(Calls.class, HERE, lookup, owner, type);
  }

  @Instead(of = MethodHandles.Lookup.class)
  public static MethodHandle unreflect(MethodHandles.Lookup lookup, Method method)
      throws IllegalAccessException {
    return Reflections.unreflect(Calls.class, HERE, lookup, method);
  }
}
