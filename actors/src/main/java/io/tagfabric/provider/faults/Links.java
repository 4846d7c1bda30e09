package io.tagfabric.provider.faults;

import io.tagfabric.address.EndpointAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What happens on the ways between endpoints, decided while a program runs. A way leads in one
 * direction; it is open unless told otherwise.
 *
 * <p>Thread: any.
 */
public final class Links {
  /**
   * One end of a way.
   *
   * @param incarnation uid of its ActorSystem
   * @param endpoint its number there
   */
  public record End(long incarnation, int endpoint) {
    /** The end at an address. */
    public static End of(EndpointAddress address) {
      return new End(address.incarnation(), address.endpoint());
    }
  }

  private static final long WAY_STEP = 0x9E3779B97F4A7C15L;

  private record Way(End from, End to) {}

  /** What becomes of a packet. */
  enum Fate {
    PASS,
    DOUBLE,
    HOLD,
    DROP
  }

  /** What a wire does when ways have changed. */
  interface Watcher {
    void onChange();
  }

  private final long seed;
  private final Set<Way> held = new HashSet<>();
  private final Set<Way> cut = new HashSet<>();
  private final Set<End> crashed = new HashSet<>();
  private final Map<Way, SplittableRandom> randoms = new HashMap<>();
  private final Map<Way, Integer> waiting = new HashMap<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private double drop;
  private double duplicate;

  /**
   * Ways that are open.
   *
   * @param seed of the choices among packets; each way has choices of its own, so the same packets
   *     in the same order meet the same fate
   */
  public Links(long seed) {
    this.seed = seed;
  }

  /** Drops and doubles shares of all packets from now on. */
  public synchronized void rates(double dropShare, double duplicateShare) {
    new FaultSettings(dropShare, duplicateShare, 0, 0, 1, seed); // refuses what are no shares
    drop = dropShare;
    duplicate = duplicateShare;
  }

  /** Keeps packets of a way until it is released. */
  public synchronized void hold(End from, End to) {
    held.add(new Way(from, to));
  }

  /** Drops packets of a way, and hides from its beginning that its end has closed. */
  public synchronized void cut(End from, End to) {
    cut.add(new Way(from, to));
  }

  /** Ends {@link #hold}: what was held goes on in its order, or is dropped if the way is cut. */
  public void release(End from, End to) {
    synchronized (this) {
      held.remove(new Way(from, to));
    }
    changed();
  }

  /** Ends {@link #cut}. */
  public void heal(End from, End to) {
    synchronized (this) {
      cut.remove(new Way(from, to));
    }
    changed();
  }

  /** Nothing comes from this end or to it any more; peers see it crash when it closes. */
  public void crash(End end) {
    synchronized (this) {
      crashed.add(end);
    }
    changed();
  }

  /** How many packets of a way are held. */
  public synchronized int heldPackets(End from, End to) {
    return waiting.getOrDefault(new Way(from, to), 0);
  }

  /** Whether packets of a way are dropped, all of them. */
  public synchronized boolean isCut(End from, End to) {
    return crashed.contains(from) || crashed.contains(to) || cut.contains(new Way(from, to));
  }

  /** Whether packets of a way are kept. */
  public synchronized boolean isHeld(End from, End to) {
    return held.contains(new Way(from, to));
  }

  synchronized boolean hasCrashed(End end) {
    return crashed.contains(end);
  }

  /** Whether the one end cannot see what becomes of the other. */
  synchronized boolean hides(End from, End to) {
    return cut.contains(new Way(to, from));
  }

  /** Decides on the next packet of a way. */
  synchronized Fate next(End from, End to) {
    Way way = new Way(from, to);
    if (isCut(from, to)) {
      return Fate.DROP;
    }
    if (held.contains(way)) {
      return Fate.HOLD;
    }
    if (drop == 0 && duplicate == 0) {
      return Fate.PASS;
    }
    double chance = randoms.computeIfAbsent(way, this::random).nextDouble();
    if (chance < drop) {
      return Fate.DROP;
    }
    return chance >= 1 - duplicate ? Fate.DOUBLE : Fate.PASS;
  }

  /** By the numbers of the ends: incarnations differ between runs. */
  private SplittableRandom random(Way way) {
    long number = (long) way.from().endpoint() << Integer.SIZE | way.to().endpoint();
    return new SplittableRandom(seed + number * WAY_STEP);
  }

  synchronized void waiting(End from, End to, int packets) {
    waiting.put(new Way(from, to), packets);
  }

  synchronized void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  synchronized void unwatch(Watcher watcher) {
    watchers.remove(watcher);
  }

  private void changed() {
    List<Watcher> told;
    synchronized (this) {
      told = List.copyOf(watchers);
    }
    told.forEach(Watcher::onChange);
  }
}
