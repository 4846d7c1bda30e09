package io.tagfabric.trials.roll;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a node runs.
 *
 * @param fabric whether with Tagfabric, or with Akka alone
 * @param protocol the number of the protocol of the fabric, 0 for that of this build
 * @param keys numbers of the job keys that it accepts, the first of which it shows
 */
record Build(boolean fabric, int protocol, List<Integer> keys) {
  static final Build PLAIN = new Build(false, 0, List.of());
  static final Build OWN = new Build(true, 0, List.of(1));

  /** The setting of the job key; for one key it is a text, which every build reads. */
  private static final String KEY = "00000000-0000-4000-8000-00000000000%d";

  static Build ofProtocol(int protocol) {
    return new Build(true, protocol, List.of(1));
  }

  static Build ofKeys(Integer... keys) {
    return new Build(true, 0, List.of(keys));
  }

  /** Whether nodes of the two speak by fabric. */
  boolean agreesWith(Build other) {
    return fabric
        && other.fabric
        && protocol == other.protocol
        && !Collections.disjoint(keys, other.keys);
  }

  /** Whether nodes of all these speak by fabric, each with each other. */
  static boolean allAgree(List<Build> builds) {
    return builds.stream().allMatch(one -> builds.stream().allMatch(one::agreesWith));
  }

  /** Flags of the JVM. */
  List<String> flags() {
    return protocol == 0 ? List.of() : List.of("-Dtagfabric.test.protocol=" + protocol);
  }

  /** The job key as the settings have it. */
  String jobKey() {
    List<String> written = new ArrayList<>();
    keys.forEach(key -> written.add('"' + KEY.formatted(key) + '"'));
    return written.size() == 1 ? written.get(0) : written.toString();
  }

  @Override
  public String toString() {
    return !fabric
        ? "Akka alone"
        : "fabric" + (protocol == 0 ? "" : " protocol " + protocol) + " keys " + keys;
  }
}
