package io.tagfabric.simulation.isolate.program;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Calls what the JVM gives to programs, in the ways that Java has. */
@SuppressWarnings({
  // what a program may call, whether it should or not
  "JavaUtilDate",
  "JavaTimeDefaultTimeZone",
  "CheckReturnValue",
  "ReturnValueIgnored",
  "FutureReturnValueIgnored",
  "LockNotBeforeTry",
  "UnusedMethod"
})
public final class CallingProgram {
  private static int calls;

  private CallingProgram() {}

  /** A static of each rank. */
  public static int countCalls() {
    return ++calls;
  }

  /** All ways to learn the time, as text. */
  public static List<String> times() {
    LongSupplier nanos = System::nanoTime;
    Supplier<Instant> instant = Instant::now;
    Supplier<LocalDate> date = LocalDate::now;
    Supplier<Date> oldDate = Date::new;
    return List.of(
        Long.toString(System.nanoTime()),
        Long.toString(nanos.getAsLong()),
        Long.toString(System.currentTimeMillis()),
        Instant.now().toString(),
        instant.get().toString(),
        Clock.systemUTC().instant().toString(),
        Clock.systemDefaultZone().instant().toString(),
        Clock.tickSeconds(ZoneOffset.UTC).instant().toString(),
        LocalDate.now(ZoneOffset.UTC).toString(),
        LocalDate.now().toString(),
        date.get().toString(),
        Long.toString(new Date().getTime()),
        Long.toString(oldDate.get().getTime()),
        Long.toString(Calendar.getInstance().getTimeInMillis()));
  }

  /** All ways to sleep, each of another length. */
  public static void sleeps() throws InterruptedException {
    Thread.sleep(1);
    Thread.sleep(2, 3);
    TimeUnit.SECONDS.sleep(4);
    LockSupport.parkNanos(5);
    LockSupport.parkNanos("blocker", 6);
    Sleeper sleeper = Thread::sleep;
    sleeper.sleep(7);
  }

  private interface Sleeper {
    void sleep(long millis) throws InterruptedException;
  }

  /** All sources of random numbers. */
  public static List<Object> numbers() {
    Supplier<Random> generator = Random::new;
    Supplier<SecureRandom> secure = SecureRandom::new;
    Supplier<Double> math = Math::random;
    Supplier<UUID> uuid = UUID::randomUUID;
    List<Integer> shuffled = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
    Collections.shuffle(shuffled);
    List<Integer> also = new ArrayList<>(shuffled);
    Collections.shuffle(also, ThreadLocalRandom.current());
    IntConsumer bound = ThreadLocalRandom.current()::nextInt;
    bound.accept(7);
    Random biased = new Random(calls > 100 ? 1 : new Random().nextLong());
    return List.of(
        new Random().nextLong(),
        generator.get().nextLong(),
        new Dice().roll(),
        biased.nextInt(),
        new SplittableRandom().nextLong(),
        new SecureRandom().nextLong(),
        new SecureRandom(new byte[] {1, 2}).nextLong(),
        secure.get().nextLong(),
        Math.random(),
        math.get(),
        StrictMath.random(),
        ThreadLocalRandom.current().nextInt(5, 500),
        ThreadLocalRandom.current().nextLong(),
        ThreadLocalRandom.current().nextDouble(1, 2),
        UUID.randomUUID(),
        uuid.get(),
        shuffled,
        also);
  }

  private static final class Dice extends Random {
    private static final long serialVersionUID = 1;

    int roll() {
      return nextInt(1_000_000);
    }
  }

  /** A generator with a seed of the program's own, which must stay what it is. */
  public static long seeded() {
    return new Random(42).nextLong();
  }

  /** Ends the process, by {@code how}. */
  public static void end(String how) {
    IntConsumer reference = System::exit;
    switch (how) {
      case "exit" -> System.exit(3);
      case "runtime" -> Runtime.getRuntime().exit(4);
      case "halt" -> Runtime.getRuntime().halt(5);
      default -> reference.accept(6);
    }
  }

  /** Adds a hook and another, which it removes again. */
  public static boolean hooks() {
    Thread removed = new Thread(() -> {});
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {}, "kept"));
    Runtime.getRuntime().addShutdownHook(removed);
    return Runtime.getRuntime().removeShutdownHook(removed);
  }

  /** Variables and properties. */
  public static List<String> surroundings() {
    System.setProperty("colour", "green");
    System.setProperty("gone", "soon");
    System.clearProperty("gone");
    System.setProperty("number", "0x10");
    System.setProperty("yes", "true");
    return List.of(
        System.getenv("RANK"),
        System.getenv().get("RANK"),
        System.getProperty("colour"),
        System.getProperty("gone", "gone"),
        System.getProperties().getProperty("colour"),
        Integer.getInteger("number").toString(),
        Long.getLong("number", 1).toString(),
        Boolean.toString(Boolean.getBoolean("yes")));
  }

  /** Prints on both streams, in several ways, and reads a line. */
  public static String prints() throws IOException {
    System.out.println("out");
    List.of("reference").forEach(System.out::println);
    System.err.println("err");
    new IllegalStateException("trace").printStackTrace();
    String line = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    System.setIn(new ByteArrayInputStream(new byte[] {65}));
    PrintStream kept = System.out;
    System.setOut(System.err);
    System.out.println("to err");
    System.setOut(kept);
    return line + System.in.read();
  }

  /** Starts threads in all ways; returns what they did. */
  public static List<String> threads() throws Exception {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    new Thread(() -> said.add("thread")).start();
    Worker worker = new Worker(said);
    worker.start();
    worker.join();
    Thread[] third = {new Thread(() -> said.add("reference"))};
    Runnable start = third[0]::start;
    start.run();
    third[0].join(10_000);
    List<ExecutorService> pools =
        List.of(
            Executors.newFixedThreadPool(1),
            Executors.newCachedThreadPool(),
            Executors.newSingleThreadExecutor(),
            Executors.newScheduledThreadPool(1),
            Executors.newSingleThreadScheduledExecutor(),
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1)),
            new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(1),
                new ThreadPoolExecutor.AbortPolicy()));
    for (ExecutorService pool : pools) {
      said.add(pool.submit(() -> Thread.currentThread().getName()).get());
      pool.shutdown();
      pool.awaitTermination(10, TimeUnit.SECONDS);
    }
    said.add(CompletableFuture.supplyAsync(() -> Thread.currentThread().getName()).join());
    CompletableFuture.runAsync(() -> said.add(Thread.currentThread().getName())).get();
    said.add(
        CompletableFuture.completedFuture("")
            .thenApplyAsync(notUsed -> Thread.currentThread().getName())
            .get(10, TimeUnit.SECONDS));
    return new ArrayList<>(said);
  }

  private static final class Worker extends Thread {
    private final BlockingQueue<String> said;

    Worker(BlockingQueue<String> said) {
      this.said = said;
    }

    @Override
    public void run() {
      said.add("worker");
    }
  }

  /** Waits in all ways for what is there already. */
  public static int waits() throws Exception {
    CountDownLatch latch = new CountDownLatch(0);
    latch.await();
    latch.await(1, TimeUnit.SECONDS);
    Semaphore semaphore = new Semaphore(5);
    semaphore.acquire();
    semaphore.acquire(2);
    semaphore.tryAcquire(1, TimeUnit.SECONDS);
    CompletableFuture.completedFuture(1).get();
    CompletableFuture.completedFuture(1).get(1, TimeUnit.SECONDS);
    CompletableFuture.completedFuture(1).join();
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
    queue.put(1);
    queue.offer(2, 1, TimeUnit.SECONDS);
    int sum = queue.take() + queue.poll(1, TimeUnit.SECONDS);
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    lock.unlock();
    return sum;
  }

  /** The time by reflection and by method handles, and a method of this package. */
  public static List<Object> reflections() throws Exception {
    MethodHandle handle =
        MethodHandles.lookup()
            .findStatic(System.class, "nanoTime", MethodType.methodType(long.class));
    MethodHandle unreflected = MethodHandles.lookup().unreflect(System.class.getMethod("nanoTime"));
    MethodHandle virtual =
        MethodHandles.lookup()
            .findVirtual(TimeUnit.class, "sleep", MethodType.methodType(void.class, long.class));
    Callable<Object> sleep =
        () -> {
          try {
            virtual.invoke(TimeUnit.NANOSECONDS, 9L);
            return "slept";
          } catch (Throwable failure) {
            throw new IllegalStateException(failure);
          }
        };
    return List.of(
        System.class.getMethod("nanoTime").invoke(null),
        call(handle),
        call(unreflected),
        sleep.call(),
        TimeUnit.class.getMethod("sleep", long.class).invoke(TimeUnit.NANOSECONDS, 8L) == null,
        Random.class.getConstructor().newInstance().nextLong(),
        CallingProgram.class.getDeclaredMethod("hidden", String.class).invoke(null, "here"));
  }

  private static long call(MethodHandle handle) {
    try {
      return (long) handle.invokeExact();
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static String hidden(String word) {
    return "hidden " + word;
  }

  /** The length of a sleep by the type that has it. */
  public static void sleepFor(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }
}
