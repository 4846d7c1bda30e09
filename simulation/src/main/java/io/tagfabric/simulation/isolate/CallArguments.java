package io.tagfabric.simulation.isolate;

import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.Type;

/**
 * A call of the JDK that has a variant with one argument more, which {@link Calls} gives: the seed
 * of a random generator, the clock of {@code now}, the threads of an executor.
 *
 * @param source method of {@link Calls} that gives the argument
 * @param descriptor of the variant
 * @param isBelowLast whether the argument comes before the last one and not behind it
 */
record CallArguments(
    String source, String sourceDescriptor, String descriptor, boolean isBelowLast) {
  private static final String CLOCK = "Ljava/time/Clock;";
  private static final String ZONE = "(Ljava/time/ZoneId;)";
  private static final String THREADS = "Ljava/util/concurrent/ThreadFactory;";
  private static final String EXECUTOR = "Ljava/util/concurrent/Executor;";
  private static final String REJECTED = "Ljava/util/concurrent/RejectedExecutionHandler;";

  private static final CallArguments SEED = new CallArguments("seed", "()J", "(J)V", false);
  private static final CallArguments MILLIS =
      new CallArguments("currentTimeMillis", "()J", "(J)V", false);

  private static final Map<String, CallArguments> CONSTRUCTORS =
      Map.of(
          "java/util/Random()V", SEED,
          "java/util/SplittableRandom()V", SEED,
          "java/util/Date()V", MILLIS);

  /** What a call gets, if it gets something. */
  static Optional<CallArguments> find(
      Hierarchy hierarchy, String owner, String method, String descriptor) {
    if (method.equals("<init>")) {
      CallArguments known = CONSTRUCTORS.get(owner + descriptor);
      return known != null ? Optional.of(known) : pool(owner, descriptor);
    }
    if (method.equals("now") && owner.startsWith("java/time/")) {
      return now(descriptor);
    }
    if (method.equals("printStackTrace")
        && descriptor.equals("()V")
        && hierarchy.isA(owner, "java/lang/Throwable")) {
      String stream = "Ljava/io/PrintStream;";
      return Optional.of(new CallArguments("err", "()" + stream, "(" + stream + ")V", false));
    }
    if (method.endsWith("Async")
        && !descriptor.contains(EXECUTOR + ")")
        && hierarchy.isA(owner, "java/util/concurrent/CompletionStage")
        && !Type.getReturnType(descriptor).equals(Type.VOID_TYPE)) {
      return Optional.of(
          new CallArguments(
              "executor", "()" + EXECUTOR, descriptor.replace(")", EXECUTOR + ")"), false));
    }
    return Optional.empty();
  }

  private static Optional<CallArguments> now(String descriptor) {
    Type made = Type.getReturnType(descriptor);
    String variant = "(" + CLOCK + ")" + made;
    if (descriptor.startsWith("()")) {
      return Optional.of(new CallArguments("clock", "()" + CLOCK, variant, false));
    }
    return descriptor.startsWith(ZONE)
        ? Optional.of(new CallArguments("clock", ZONE + CLOCK, variant, false))
        : Optional.empty();
  }

  private static Optional<CallArguments> pool(String owner, String descriptor) {
    boolean isPool =
        owner.equals("java/util/concurrent/ThreadPoolExecutor")
            || owner.equals("java/util/concurrent/ScheduledThreadPoolExecutor");
    if (!isPool || descriptor.contains(THREADS)) {
      return Optional.empty();
    }
    boolean rejects = descriptor.endsWith(REJECTED + ")V");
    String variant =
        rejects
            ? descriptor.replace(REJECTED, THREADS + REJECTED)
            : descriptor.replace(")", THREADS + ")");
    return Optional.of(new CallArguments("threads", "()" + THREADS, variant, rejects));
  }
}
