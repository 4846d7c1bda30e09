package io.tagfabric.link;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import io.tagfabric.link.send.SendCompletions;
import io.tagfabric.link.send.SendOperation;

/**
 * The sends of an endpoint that sends datagrams. Each waits until its peer has answered the hello,
 * which proves the job's key, then it is handed to the channel, and that is its end. Single
 * threaded: the domain's loop.
 */
final class DatagramSends {
  private final FlowWaiters waiters;
  private final SendCompletions completions;
  private final int packetBytes;
  private int waiting;

  DatagramSends(FlowWaiters waiters, SendCompletions completions, int packetBytes) {
    this.waiters = waiters;
    this.completions = completions;
    this.packetBytes = packetBytes;
  }

  /** Whether some wait for the answer to a hello. */
  boolean hasWaiting() {
    return waiting > 0;
  }

  void send(Flow flow, SendOperation send) {
    int most = flow.link().mostDatagramBytes(packetBytes);
    if (send.length() > most) {
      completions.fail(
          send,
          FabricError.MESSAGE_SIZE,
          "lengthBytes="
              + send.length()
              + " > "
              + most
              + " that a datagram has over provider ["
              + flow.link().provider()
              + "], open an endpoint without datagrams");
    } else if (send.level().compareTo(CompletionLevel.TRANSMIT) > 0) {
      completions.fail(
          send,
          FabricError.OPERATION_NOT_SUPPORTED,
          "level="
              + send.level()
              + ", but nobody tells what becomes of a datagram: take INJECT or TRANSMIT");
    } else if (flow.state() == FlowState.CONNECTING) {
      waiting++;
      waiters.add(flow, failure -> answered(flow, send, failure));
    } else {
      leave(flow, send);
    }
  }

  private void answered(Flow flow, SendOperation send, FabricException failure) {
    waiting--;
    if (failure != null) {
      completions.fail(send, failure.error(), failure.getMessage());
    } else {
      leave(flow, send);
    }
    completions.flush();
  }

  private void leave(Flow flow, SendOperation send) {
    String lost = send.lostBytes();
    if (lost != null) {
      completions.fail(send, FabricError.INVALID, lost);
    } else {
      flow.sendDatagram(send);
      completions.complete(send);
    }
  }
}
