package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** A region that a program has opened, and how it ends; the context of its signals. */
final class OpenedRegion {
  private final SeedRun run;
  private final Node node;
  final UnsafeBuffer bytes;
  final Region region;
  boolean closing;
  boolean closed;

  /**
   * A region.
   *
   * @param inFabricMemory peers that reach it access it themselves
   */
  OpenedRegion(
      SeedRun run, Node node, CompletionQueue signals, int length, boolean inFabricMemory) {
    this.run = run;
    this.node = node;
    bytes =
        inFabricMemory
            ? new UnsafeBuffer(node.simulated.domain().allocate(length).buffer())
            : new UnsafeBuffer(new byte[length]);
    region =
        node.simulated
            .domain()
            .register(
                bytes, RegionRight.all(), RegionOptions.DEFAULT.withContext(this).to(signals));
  }

  /** All that was written before a signal is there when it comes. */
  void signalled(CompletionEntry entry) {
    Violation.require(
        entry.kind() == CompletionEntry.Kind.ACCESSED_BY_PEER && entry.hasData(),
        Invariant.ONCE,
        "a region of %s is told %s",
        node,
        entry);
    run.probes().reach(Probe.SIGNALLED);
    if (!closing) {
      long value = bytes.getLong((int) entry.offset(), ByteOrder.LITTLE_ENDIAN);
      Violation.require(
          value >= entry.data(),
          Invariant.BYTES,
          "a signal of value %d has come to %s, where it is %d",
          entry.data(),
          node,
          value);
    }
  }
}
