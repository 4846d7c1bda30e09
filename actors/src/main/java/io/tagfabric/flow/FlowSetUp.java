package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.flow.window.OwedToPeer;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.wire.Greeting.Nonce;
import io.tagfabric.wire.Packet;

/**
 * What the set-up of one flow has to remember, and the way of its greetings. Single threaded: the
 * domain's loop.
 */
@InternalApi
public final class FlowSetUp {
  private final PacketOutbox outbox;
  private final OwedToPeer owed;
  private Nonce nonce;
  private Packet hello;
  private int protocol;
  private boolean welcomeWaits;
  private boolean endWaits;

  FlowSetUp(PacketOutbox outbox, OwedToPeer owed) {
    this.outbox = outbox;
    this.owed = owed;
  }

  /**
   * Makes a Hello or Welcome ready for {@link #offer}. A peer reads no acknowledgement in it, so
   * what has overtaken its own greeting stays unacknowledged.
   */
  public void seal(Packet packet) {
    boolean owes = owesWord();
    outbox.sealUncounted(packet, 0);
    if (owes) {
      owed.acknowledgeNow();
    }
  }

  private boolean owesWord() {
    return owed.mustAcknowledgeNow() || owed.owesPackets();
  }

  /**
   * Sends a sealed Hello or Welcome to the peer; the caller keeps its reference.
   *
   * @return false if the channel has no room for it
   */
  public boolean offer(Packet packet) {
    if (owesWord()) {
      owed.acknowledgeNow();
    }
    return outbox.link().channel().offer(packet);
  }

  /** What ties answers to this side's questions; null if it has asked and answered nothing. */
  public Nonce nonce() {
    return nonce;
  }

  public void nonce(Nonce chosen) {
    nonce = chosen;
  }

  /** The protocol that both sides have chosen; 0 before the flow is open. */
  public int protocol() {
    return protocol;
  }

  public void protocol(int chosen) {
    protocol = chosen;
  }

  /** The sealed Hello, until the peer has answered; null if there is none. */
  public Packet hello() {
    return hello;
  }

  /** Keeps a sealed Hello, to be offered again as it is; takes the caller's reference. */
  public void asks(Packet sealed) {
    hello = sealed;
  }

  /** The flow is open or lost: nothing is asked any more. */
  public void asksNoMore() {
    if (hello != null) {
      hello.release();
      hello = null;
    }
  }

  /** Whether a Welcome waits for room in the channel. */
  public boolean welcomeWaits() {
    return welcomeWaits;
  }

  public void welcomeWaits(boolean waits) {
    welcomeWaits = waits;
  }

  /** Whether the word that the flow has ended waits for room in the channel. */
  public boolean endWaits() {
    return endWaits;
  }

  public void endWaits(boolean waits) {
    endWaits = waits;
  }
}
