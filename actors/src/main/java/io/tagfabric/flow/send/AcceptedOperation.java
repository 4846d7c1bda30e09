package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.MessageView;

/**
 * What a program has asked of an endpoint, and what it wants to hear of it: begun once, counted
 * once, ended once. All but the acceptance happens on the domain's loop.
 */
@InternalApi
public abstract class AcceptedOperation extends MessageView {
  private Object context;
  private boolean silent;
  private boolean internal;
  private boolean counted;
  private boolean begun;
  private boolean ended;

  AcceptedOperation(Object context) {
    this.context = context;
  }

  /** What its completion shall bring back, before it is accepted. */
  protected final void bring(Object newContext) {
    context = newContext;
  }

  /** What its completion brings back; may be null. */
  public final Object context() {
    return context;
  }

  /** A success shall leave no entry in the queue. */
  public final void silence() {
    silent = true;
  }

  /** Whether a success leaves no entry in the queue. */
  public final boolean isSilent() {
    return silent;
  }

  /** It is none of a program's, and nothing counts it. */
  public final void internal() {
    internal = true;
  }

  /** Whether it is none of a program's. */
  public final boolean isInternal() {
    return internal;
  }

  /** It shall be counted when it ends; false if it is no program's, or is counted already. */
  public final boolean count() {
    boolean first = !internal && !counted;
    counted |= first;
    return first;
  }

  /** Whether it is counted. */
  public final boolean isCounted() {
    return counted;
  }

  /** Whether nobody has begun with it; then the caller does. */
  public final boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Whether it has begun. */
  public final boolean hasBegun() {
    return begun;
  }

  /** Whether it has not ended before; then the caller tells its outcome. */
  public final boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  /** It has ended, and begins once more. */
  final void again() {
    begun = false;
    ended = false;
  }
}
