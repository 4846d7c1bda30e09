package io.tagfabric.launch.hosts;

import java.util.OptionalInt;

/**
 * A host of a job.
 *
 * @param name as the user wrote it, and as the spawner gets it, such as {@code node1} or {@code
 *     me@node1}
 * @param address by which ranks of other hosts reach those of this one; empty for that of the name
 * @param slots how many ranks it takes at most, empty if nothing was said
 */
public record Host(String name, String address, OptionalInt slots) {
  /** A host of which only the name is known. */
  public static Host named(String name) {
    return new Host(name, "", OptionalInt.empty());
  }

  Host at(String known) {
    return new Host(name, known, slots);
  }

  /** The name without the user before it. */
  String bareName() {
    return name.substring(name.indexOf('@') + 1);
  }
}
