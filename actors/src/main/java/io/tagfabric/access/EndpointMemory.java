package io.tagfabric.access;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Completions;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.EndpointGate;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.receive.EndpointBindings;
import java.util.function.Consumer;

/**
 * An endpoint's access to memory of peers. This is the direct face; {@link MemoryFutures} is the
 * one with futures, and {@code Endpoint.AccessMemory} is the message of actors. The owner of a
 * region accesses it the same way, with its own endpoint's address as the peer: so its updates are
 * atomic too.
 */
public final class EndpointMemory extends MemoryOperations {
  private final EndpointGate gate;
  private final EndpointBindings bindings;
  private final DirectAccesses direct;
  private final MemoryFutures futures;
  private final Consumer<MemoryOperation> actor;

  /**
   * The accesses of one endpoint.
   *
   * @param actor takes an access that cannot begin on the calling thread
   */
  @InternalApi
  public EndpointMemory(
      EndpointGate gate,
      EndpointBindings bindings,
      DirectAccesses direct,
      ProgressFutures futures,
      Consumer<MemoryOperation> actor) {
    super(gate.settings());
    this.gate = gate;
    this.bindings = bindings;
    this.direct = direct;
    this.futures = new MemoryFutures(gate.settings().maxPendingFutures(), this, futures);
    this.actor = actor;
  }

  /** The same operations with futures. */
  public MemoryFutures futures() {
    return futures;
  }

  /** Opens a region of accesses that end as one. */
  @InternalApi
  public AccessRegion openRegion() {
    gate.requireOpen();
    return new AccessRegion(gate, this, direct);
  }

  @Override
  ReachedMemory reached() {
    return direct.reached();
  }

  @Override
  Posted submit(MemoryOperation operation, SendOptions options, Object context) {
    prepare(operation, options, context);
    if (!gate.reserve()) {
      return Posted.TRY_AGAIN;
    }
    if (options != null && options.immediate()) {
      return gate.postedNow(startNow(operation));
    }
    start(operation);
    return Posted.POSTED;
  }

  private void prepare(MemoryOperation operation, SendOptions options, Object context) {
    operation.telling(context, null);
    require(operation);
    Completions told = options == null ? null : options.completions();
    if ((told == null ? bindings.sends() : told) == Completions.ERRORS) {
      operation.silence();
    }
  }

  /**
   * Accepts an access that {@link #start} begins later, or {@link #fail} ends; null if there is no
   * slot for its completion.
   */
  @InternalApi
  public MemoryOperation accept(Access access, Object context) {
    MemoryOperation operation = access.operation(CompletionLevel.INJECT);
    prepare(operation, access.options(), context);
    if (!gate.reserve()) {
      return null;
    }
    direct.accepted(operation);
    return operation;
  }

  /** Ends an access that was accepted and will not begin. Thread: the domain's loop. */
  @InternalApi
  public void fail(MemoryOperation access, FabricError error, String detail) {
    direct.fail(access, error, detail);
  }

  /** Begins an access whose end a listener hears. */
  @InternalApi
  public void begin(Access access, AccessListener listener) {
    MemoryOperation operation =
        access.operation(CompletionLevel.INJECT).telling(listener, listener);
    operation.internal();
    require(operation);
    start(operation);
  }

  /** Starts an access that is in order. */
  @InternalApi
  public void start(MemoryOperation access) {
    direct.accepted(access);
    if (!direct.start(access)) {
      actor.accept(access);
      if (!gate.isOpen()) {
        direct.refuse(access);
      }
    }
  }

  /** Starts an access that is in order only if it can leave now; false if nothing has happened. */
  boolean startNow(MemoryOperation access) {
    return direct.startNow(access);
  }

  /** That the endpoint is open and may do it, and that its descriptor allows it. */
  void require(MemoryOperation access) {
    gate.requireOpen();
    direct.require(access);
  }
}
