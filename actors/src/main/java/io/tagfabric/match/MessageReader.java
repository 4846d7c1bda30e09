package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import org.agrona.DirectBuffer;

/**
 * Takes every message with a tag that comes to an endpoint, those of each sender in the order sent,
 * whatever their lengths. Called on the domain's loop; must not block. What it throws is logged and
 * lost, and disturbs nothing else.
 */
@InternalApi
public interface MessageReader {
  /**
   * A message.
   *
   * @param source index of the sender in the domain's address vector
   * @param buffer its bytes, there only during the call
   */
  void onMessage(int source, long tag, DirectBuffer buffer, int offset, int length);

  /**
   * The flow with a peer has ended.
   *
   * @param forGood whether no message of it follows; otherwise another flow may begin
   */
  void onLost(int source, FabricError error, String detail, boolean forGood);
}
