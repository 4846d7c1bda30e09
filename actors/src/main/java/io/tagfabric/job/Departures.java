package io.tagfabric.job;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The ranks that are gone, and how. */
final class Departures {
  private record Gone(boolean orderly, String detail) {
    String words() {
      return orderly ? " has left the job" : " is lost: " + detail;
    }
  }

  private final Map<Integer, Gone> gone = new TreeMap<>();

  /** Notes that a rank is gone; false if it was before. */
  boolean add(int rank, boolean orderly, String detail) {
    return gone.putIfAbsent(rank, new Gone(orderly, detail)) == null;
  }

  boolean contains(int rank) {
    return gone.containsKey(rank);
  }

  boolean isEmpty() {
    return gone.isEmpty();
  }

  /** Why something that needs all ranks cannot be done. */
  FabricException failure(String what) {
    boolean orderly = gone.values().stream().allMatch(Gone::orderly);
    String text =
        gone.entrySet().stream()
            .map(entry -> "rank " + entry.getKey() + entry.getValue().words())
            .collect(Collectors.joining(", "));
    return new FabricException(
        orderly ? FabricError.SHUTDOWN : FabricError.CONNECTION_RESET, what + ": " + text);
  }
}
