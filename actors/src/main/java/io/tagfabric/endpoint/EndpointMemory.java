package io.tagfabric.endpoint;

import io.tagfabric.complete.Completions;
import io.tagfabric.endpoint.Endpoint.AccessMemory;
import io.tagfabric.progress.ProgressFutures;

/**
 * An endpoint's access to memory of peers. This is the direct face; {@link MemoryFutures} is the
 * one with futures, and {@link Accesses} makes the messages for actors. The owner of a region
 * accesses it the same way, with its own endpoint's address as the peer: so its updates are atomic
 * too.
 */
public final class EndpointMemory extends MemoryCalls {
  private final Endpoint endpoint;
  private final DirectAccesses direct;
  private final MemoryFutures futures;

  EndpointMemory(Endpoint endpoint, DirectAccesses direct, ProgressFutures futures) {
    super(endpoint.settings());
    this.endpoint = endpoint;
    this.direct = direct;
    this.futures = new MemoryFutures(endpoint, this, futures);
  }

  /** The same operations with futures. */
  public MemoryFutures futures() {
    return futures;
  }

  /** Opens a region of accesses that end as one. */
  AccessRegion openRegion() {
    endpoint.requireOpen();
    return new AccessRegion(endpoint, this, direct);
  }

  @Override
  ReachedMemory reached() {
    return direct.reached();
  }

  @Override
  Posted post(AccessMemory access, SendOptions options, Object context) {
    access.telling(context, null);
    require(access);
    if (!endpoint.transmitQueue().ring().tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    Completions told = options == null ? null : options.completions();
    if ((told == null ? endpoint.bindings().sends() : told) == Completions.ERRORS) {
      access.silence();
    }
    if (options != null && options.fenced()) {
      access.fence();
    }
    if (options != null && options.immediate()) {
      return endpoint.postedNow(startNow(access));
    }
    start(access);
    return Posted.POSTED;
  }

  /** Starts an access that is in order. */
  void start(AccessMemory access) {
    direct.accepted(access);
    if (!direct.start(access)) {
      endpoint.ref().tell(access);
      if (!endpoint.isOpen()) {
        direct.refuse(access);
      }
    }
  }

  /** Starts an access that is in order only if it can leave now; false if nothing has happened. */
  boolean startNow(AccessMemory access) {
    return direct.startNow(access);
  }

  /** That the endpoint is open and may do it, and that its descriptor allows it. */
  void require(AccessMemory access) {
    endpoint.requireOpen();
    AccessRequests.require(access, endpoint.bindings());
  }
}
