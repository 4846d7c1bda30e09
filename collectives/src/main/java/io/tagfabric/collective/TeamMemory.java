package io.tagfabric.collective;

import akka.Done;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;

/**
 * Memory of all members of a team, which each of them reads, writes and updates: {@link
 * Team#allocate} makes it. Accesses are those of this member's endpoint, {@code
 * memory().write(at(rank), ...)}; to its own part, too, where updates shall be atomic.
 *
 * <p>Thread: any.
 *
 * @source MPI-4.1 §12.2.2 (MPI_Win_allocate); GASNet-EX, gex_Segment_Attach
 */
public final class TeamMemory {
  private static final Duration AT_ONCE = Duration.ZERO;

  private final Team team;

  /** The same members; its calls do not come between those of the program. */
  private final Team its;

  private final MutableDirectBuffer buffer;
  private final Region region;
  private final Runnable release;
  private final List<RemoteRegion> parts;
  private CompletionStage<Done> closed;

  TeamMemory(
      Team team,
      Team its,
      MutableDirectBuffer buffer,
      Region region,
      Runnable release,
      List<RemoteRegion> parts) {
    this.team = team;
    this.its = its;
    this.buffer = buffer;
    this.release = release;
    this.region = region;
    this.parts = List.copyOf(parts);
  }

  /** The team whose members have it. */
  public Team team() {
    return team;
  }

  /** This member's part, zeros at first. */
  public MutableDirectBuffer buffer() {
    return buffer;
  }

  /** This member's part as a region of its domain. */
  public Region region() {
    return region;
  }

  /** What a member's part is to the calls of {@link #memory}. */
  public RemoteRegion at(int rank) {
    return parts.get(Objects.checkIndex(rank, parts.size()));
  }

  /** What a peer of the team needs to access a member's part. */
  public RegionDescriptor descriptor(int rank) {
    return at(rank).descriptor();
  }

  /** By which this member accesses the parts. */
  public EndpointMemory memory() {
    return team.endpoint().memory();
  }

  /**
   * Waits for what this member has asked of the others, then for them. All members call it. When it
   * completes, all that any member has asked before is done.
   *
   * @return fails with the error of a write that was refused after it had completed, or as the team
   * @source MPI-4.1 §12.5.1 (MPI_Win_fence)
   */
  public CompletionStage<Done> fence() {
    // Others wait at the barrier whatever becomes of the flush.
    return memory()
        .futures()
        .flushAll()
        .handle((flushed, failure) -> failure)
        .thenCompose(
            failure ->
                its.barrier()
                    .thenCompose(
                        done ->
                            failure == null
                                ? CompletableFuture.completedFuture(done)
                                : CompletableFuture.failedFuture(failure)));
  }

  /**
   * Closes all parts. All members call it; idempotent. What any member has asked before is done
   * first. When it completes, no byte of this member's part changes any more, and the memory is
   * given back: the buffer must not be touched.
   *
   * @return fails as {@link #fence} does; this member's part is closed all the same
   * @source MPI-4.1 §12.2.5 (MPI_Win_free)
   */
  public synchronized CompletionStage<Done> close() {
    if (closed == null) {
      closed =
          fenceUnlessClosed()
              .handle((done, failure) -> failure)
              .thenCompose(
                  failure ->
                      region
                          .close(AT_ONCE)
                          .thenCompose(
                              notUsed -> {
                                release.run();
                                its.close();
                                return failure == null
                                    ? CompletableFuture.completedFuture(Done.getInstance())
                                    : CompletableFuture.failedFuture(failure);
                              }));
    }
    return closed;
  }

  private CompletionStage<Done> fenceUnlessClosed() {
    try {
      return fence();
    } catch (IllegalStateException endpointIsClosed) {
      return CompletableFuture.failedFuture(endpointIsClosed);
    }
  }

  @Override
  public String toString() {
    return "TeamMemory[" + region.lengthBytes() + " bytes here, " + team + "]";
  }
}
