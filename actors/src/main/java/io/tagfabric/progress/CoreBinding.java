package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds threads to cores. Two threads that poll and answer each other are best kept on two cores: a
 * scheduler that sees both run all the time may well put them on one, and then neither gets its
 * answer before it gives way.
 */
@InternalApi
public final class CoreBinding {
  private static final Logger LOG = LoggerFactory.getLogger(CoreBinding.class);

  private CoreBinding() {}

  /**
   * The same cores, but that on which the calling thread runs now for {@link CoreSet#HERE}.
   *
   * @throws IllegalStateException if the operating system does not tell which that is
   */
  public static CoreSet placed(CoreSet cores) {
    return placed(cores, Affinity::getCpu);
  }

  static CoreSet placed(CoreSet cores, IntSupplier current) {
    if (!cores.isHere()) {
      return cores;
    }
    int core = current.getAsInt();
    if (core < 0) {
      throw new IllegalStateException(
          "the operating system does not tell on which core a thread runs: give"
              + " tagfabric.progress.affinity the number of a core, or unset it");
    }
    return CoreSet.of(core);
  }

  /**
   * Binds the calling thread for the rest of its life, and the threads that it starts from now on;
   * where that cannot be done the log says so, and the thread runs as before.
   *
   * @return whether it is bound
   */
  public static boolean bindCurrentThread(CoreSet cores) {
    if (cores.isEmpty()) {
      return false;
    }
    boolean bound = bind(cores.toBitSet());
    if (!bound) {
      LOG.warn(
          "thread [{}] cannot be bound to cores [{}], unset tagfabric.progress.affinity here",
          Thread.currentThread().getName(),
          cores);
    }
    return bound;
  }

  // ---- moves ----

  /** Whether threads can be moved; to find out takes a while, as a library has to be loaded. */
  private enum Moves {
    NOT_ASKED,
    ASKING,
    POSSIBLE,
    IMPOSSIBLE
  }

  /** From this version on the JVM warns of native libraries that were not allowed. */
  private static final int JAVA_THAT_WARNS = 24;

  private static final String ALLOW = "--illegal-native-access=allow";

  private static final AtomicReference<Moves> MOVES = new AtomicReference<>(Moves.NOT_ASKED);

  /**
   * Moves the calling thread to another of the cores that it may use, which remain the same. The
   * first call finds out whether that can be done; until that is known nothing happens.
   *
   * @param finder runs what takes a while
   * @return false if it can never be done in this process
   */
  public static boolean moveAway(Executor finder) {
    switch (MOVES.get()) {
      case NOT_ASKED -> {
        if (MOVES.compareAndSet(Moves.NOT_ASKED, Moves.ASKING)) {
          try {
            finder.execute(CoreBinding::findOut);
          } catch (RejectedExecutionException ends) {
            MOVES.set(Moves.NOT_ASKED);
          }
        }
        return true;
      }
      case ASKING -> {
        return true;
      }
      case POSSIBLE -> {
        boolean possible = moveAway(Affinity::getAffinity, Affinity::getCpu, Affinity::setAffinity);
        if (!possible) {
          MOVES.set(Moves.IMPOSSIBLE);
        }
        return possible;
      }
      default -> {
        return false;
      }
    }
  }

  private static void findOut() {
    boolean possible = false;
    try {
      possible = mayLoad() && Affinity.getCpu() >= 0 && !Affinity.getAffinity().isEmpty();
    } catch (IllegalStateException | LinkageError refused) {
      LOG.debug("threads stay where they are", refused);
    } finally {
      MOVES.set(possible ? Moves.POSSIBLE : Moves.IMPOSSIBLE);
    }
  }

  /** Whether a native library may be loaded without a word of the JVM's. */
  private static boolean mayLoad() {
    return Runtime.version().feature() < JAVA_THAT_WARNS
        || isAllowed(ManagementFactory.getRuntimeMXBean().getInputArguments())
        || isEnabled();
  }

  /** Whether the JVM was told to allow it to all; a module does not say so. */
  static boolean isAllowed(List<String> jvmArguments) {
    return jvmArguments.contains(ALLOW);
  }

  private static boolean isEnabled() {
    try {
      MethodHandle asked =
          MethodHandles.publicLookup()
              .findVirtual(
                  Module.class, "isNativeAccessEnabled", MethodType.methodType(boolean.class));
      return (boolean) asked.invokeExact(CoreBinding.class.getModule());
    } catch (Throwable unknown) {
      return false;
    }
  }

  static boolean moveAway(Supplier<BitSet> allowed, IntSupplier current, Consumer<BitSet> use) {
    try {
      BitSet all = allowed.get();
      int here = current.getAsInt();
      BitSet others = (BitSet) all.clone();
      if (here >= 0) {
        others.clear(here);
      }
      if (here >= 0 && !others.isEmpty()) {
        try {
          use.accept(others);
        } finally {
          use.accept(all);
        }
      }
      return here >= 0;
    } catch (IllegalStateException refused) {
      LOG.debug("threads stay where they are", refused);
      return false;
    }
  }

  private static boolean bind(BitSet cores) {
    try {
      Affinity.setAffinity(cores);
      return Affinity.getAffinity().equals(cores);
    } catch (IllegalStateException refused) {
      LOG.debug("the operating system refuses", refused);
      return false;
    }
  }
}
