package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.util.BitSet;
import java.util.function.IntSupplier;
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
