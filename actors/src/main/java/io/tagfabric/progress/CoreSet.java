package io.tagfabric.progress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Stream;

/**
 * Cores that a thread is bound to; none stands for wherever the operating system likes.
 *
 * <p>Written {@code first[:last[:stride]][,...]}, as {@code 0}, {@code 0:3} or {@code 1:7:2,12}.
 * Negative numbers count from the last core, which is -1.
 *
 * @source libfabric fi_psm(7), FI_PSM_PROG_AFFINITY
 */
public final class CoreSet {
  /** Not bound. */
  public static final CoreSet NONE = new CoreSet(new BitSet());

  /** The core on which the thread runs that opens a domain; none before it does. */
  public static final CoreSet HERE = new CoreSet(new BitSet(), true);

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";

  private final BitSet cores;
  private final boolean here;

  private CoreSet(BitSet cores) {
    this(cores, false);
  }

  private CoreSet(BitSet cores, boolean here) {
    this.cores = cores;
    this.here = here;
  }

  /** Whether it is {@link #HERE}. */
  boolean isHere() {
    return here;
  }

  /** One core. */
  public static CoreSet of(int core) {
    BitSet cores = new BitSet();
    cores.set(core);
    return new CoreSet(cores);
  }

  /**
   * The cores this process may use, which a container or {@code taskset} may have made fewer; where
   * that is not told, as many as the JVM counts, from 0 on.
   */
  public static CoreSet allowed() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> ofKernelList(line.substring(ALLOWED.length()).strip()))
          .findFirst()
          .orElseGet(CoreSet::counted);
    } catch (IOException notLinux) {
      return counted();
    }
  }

  private static CoreSet counted() {
    BitSet cores = new BitSet();
    cores.set(0, Runtime.getRuntime().availableProcessors());
    return new CoreSet(cores);
  }

  /** Reads what Linux writes, as {@code 0-3,8}. */
  static CoreSet ofKernelList(String list) {
    return parse(list.replace('-', ':'), Integer.MAX_VALUE);
  }

  /** One of these cores by its place, the lowest at 0; after the last comes the first again. */
  public CoreSet nth(int place) {
    int core = cores.nextSetBit(0);
    for (int i = place % cores.cardinality(); i > 0; i--) {
      core = cores.nextSetBit(core + 1);
    }
    return of(core);
  }

  /** The number of the highest core and one more. */
  public int length() {
    return cores.length();
  }

  /**
   * Reads a set.
   *
   * @param text blank for {@link #NONE}
   * @param available {@link #length} of the cores there are
   * @throws IllegalArgumentException says what is wrong with which part
   */
  public static CoreSet parse(String text, int available) {
    BitSet cores = new BitSet();
    if (!text.isBlank()) {
      for (String part : text.split(",", -1)) {
        add(part.strip(), available, cores);
      }
    }
    return new CoreSet(cores);
  }

  private static void add(String part, int available, BitSet cores) {
    String[] numbers = part.split(":", -1);
    if (numbers.length > 3) {
      throw new IllegalArgumentException(
          "[" + part + "] has more than first:last:stride, separate several by commas");
    }
    int first = core(numbers[0], part, available);
    int last = numbers.length > 1 ? core(numbers[1], part, available) : first;
    int stride = numbers.length > 2 ? number(numbers[2], part) : 1;
    if (last < first || stride < 1) {
      throw new IllegalArgumentException(
          "["
              + part
              + "] is first="
              + first
              + " to last="
              + last
              + " by stride="
              + stride
              + ", which must go upwards");
    }
    for (int core = first; core <= last; core += stride) {
      cores.set(core);
    }
  }

  private static int core(String number, String part, int available) {
    int given = number(number, part);
    int core = given < 0 ? available + given : given;
    if (core < 0 || core >= available) {
      throw new IllegalArgumentException(
          "["
              + part
              + "] names core "
              + given
              + " of "
              + available
              + ", take 0 to "
              + (available - 1)
              + " or -1 to -"
              + available);
    }
    return core;
  }

  private static int number(String number, String part) {
    try {
      return Integer.parseInt(number.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "[" + part + "] is no set of cores, write numbers as in 0:3 or 1:7:2,12", e);
    }
  }

  /** Whether threads stay where the operating system puts them. */
  public boolean isEmpty() {
    return cores.isEmpty();
  }

  /** A copy. */
  public BitSet toBitSet() {
    return (BitSet) cores.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CoreSet that && here == that.here && cores.equals(that.cores);
  }

  @Override
  public int hashCode() {
    return cores.hashCode();
  }

  @Override
  public String toString() {
    return here ? "here" : cores.toString();
  }
}
