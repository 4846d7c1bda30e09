package io.tagfabric.active;

/**
 * Runs when an active request has come. What it throws fails that request at its sender.
 *
 * <p>Thread: the domain's loop; it must not block or wait for a future.
 */
@FunctionalInterface
public interface ActiveHandler {
  /**
   * Takes a request. If it does not reply, the sender gets an empty reply when it has returned.
   *
   * @param call valid until this method returns
   */
  void handle(ActiveCall call);
}
