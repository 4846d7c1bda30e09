package io.tagfabric.match.core;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.agrona.collections.Int2ObjectHashMap;

/** Peers of which no message will come, and why. Single threaded. */
final class LostPeers {
  private final Int2ObjectHashMap<Completion.Failed> lost = new Int2ObjectHashMap<>();

  /** Whether an endpoint that shares the receives has a flow with a peer. */
  private IntPredicate elsewhere = peer -> false;

  /** Several endpoints share the receives; this says whether one of them has a flow with a peer. */
  void share(IntPredicate reaches) {
    elsewhere = reaches;
  }

  /** Whether another endpoint that shares the receives still has it as a peer. */
  boolean isElsewhere(int peer) {
    return elsewhere.test(peer);
  }

  /** A peer is lost for good. */
  void add(int peer, FabricError error, String detail) {
    lost.put(peer, new Completion.Failed(null, error, peer, 0, 0, 0, Direction.RECEIVE, detail));
  }

  /** Why no message of a sender will come; null if one may, or if any sender's will do. */
  Completion.Failed why(int source) {
    Completion.Failed failure = source == TagSelector.ANY_SOURCE ? null : lost.get(source);
    return failure == null || elsewhere.test(source) ? null : failure;
  }

  /** Visits those of which no message will come. */
  void forEach(Consumer<Completion.Failed> action) {
    for (Completion.Failed each : lost.values()) {
      if (!elsewhere.test(each.peer())) {
        action.accept(each);
      }
    }
  }
}
