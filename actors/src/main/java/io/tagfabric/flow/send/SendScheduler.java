package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.flow.window.PeerWatch;
import io.tagfabric.flow.window.SendWindow;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;

/**
 * All that this side of a flow has to send, in its turns: first what steers long messages, then
 * messages and the bytes of long ones alternately. It takes what the peer's packets say of it.
 */
@InternalApi
public final class SendScheduler {
  private final SendWindow window;
  private final PacketOutbox outbox;
  private final PeerWatch watch;
  private final MessageSender messages;
  private final RendezvousSender rendezvous;
  private final ControlQueue control;
  private final FrameQueue frames;
  private final AnswerQueue answers;
  private final ActiveQueue actives;
  private final int replayPackets;
  private int turn;

  public SendScheduler(
      SendWindow window,
      PacketOutbox outbox,
      PeerWatch watch,
      MessageSender messages,
      ControlQueue control,
      FrameQueue frames,
      AnswerQueue answers,
      ActiveQueue actives,
      int replayPackets) {
    this.window = window;
    this.outbox = outbox;
    this.watch = watch;
    this.messages = messages;
    this.rendezvous = messages.rendezvous();
    this.control = control;
    this.frames = frames;
    this.answers = answers;
    this.actives = actives;
    this.replayPackets = replayPackets;
  }

  /** Puts what waits into packets, as far as credit and window allow. */
  public void pump() {
    control.pump();
    frames.pump();
    actives.pump();
    // By turns, so that neither a stream of messages nor a long one nor what the peer reads keeps
    // the others from the window.
    turn = (turn + 1) % 3;
    switch (turn) {
      case 0 -> {
        messages.pump();
        answers.pump();
        rendezvous.pump();
      }
      case 1 -> {
        rendezvous.pump();
        messages.pump();
        answers.pump();
      }
      default -> {
        answers.pump();
        rendezvous.pump();
        messages.pump();
      }
    }
    if (control.hasWaiting()) {
      // A send lost its bytes half way; what waits behind it may go once the Abort has left.
      control.pump();
      messages.pump();
    }
    if (messages.isFenced()) {
      // What it waited for may have ended just now.
      messages.pump();
    }
  }

  /** Whether what is sent waits behind a fence, so that the end of any send may let it go. */
  public boolean isFenced() {
    return messages.isFenced();
  }

  /**
   * Takes the credits that a header carries.
   *
   * @return whether there is something to send now
   */
  public boolean credits(PacketHeaderDecoder header) {
    boolean active = actives.take(header);
    boolean more = messages.credit().take(header);
    return active || (more && (messages.hasWaiting() || frames.hasWaiting()));
  }

  /** What a header says of packets that were never sent; null if it says nothing of the kind. */
  public String unsentIn(PacketHeaderDecoder header) {
    long sent = window.highestSent();
    if (header.acknowledged() <= sent) {
      return null;
    }
    return "it acknowledges packets that were not sent: acknowledged="
        + header.acknowledged()
        + ", highestSent="
        + sent;
  }

  /**
   * Takes what a header acknowledges.
   *
   * @return whether there may be something to send now
   */
  public boolean acknowledged(PacketHeaderDecoder header) {
    boolean more = window.acknowledge(header.acknowledged());
    if (more) {
      messages.acknowledged(window.acknowledged());
      watch.acknowledged(window.acknowledged());
      outbox.acknowledged(window.acknowledged());
    }
    return more
        && (messages.hasWaiting()
            || rendezvous.hasCleared()
            || control.hasWaiting()
            || frames.hasWaiting()
            || actives.hasWaiting()
            || answers.hasWaiting());
  }

  /** Sends packets again if a header says that some are missing. */
  public void replay(PacketHeaderDecoder header) {
    if ((header.flags() & PacketLayout.MISSING) != 0 && watch.startReplay()) {
      outbox.replay(replayPackets);
    }
  }

  /** Whether the window is open and there is more to write. */
  public boolean isPaused() {
    return rendezvous.isPaused();
  }

  /** Whether something could leave now: only a flush is needed for it. */
  public boolean isReady() {
    return outbox.hasRoom()
        && (control.hasWaiting()
            || rendezvous.hasCleared()
            || messages.isReady()
            || frames.isReady()
            || actives.isReady()
            || answers.hasWaiting());
  }

  /** Whether this side can only go on after a packet from the peer. */
  public boolean awaitsPeer() {
    return window.hasUnacknowledged()
        || messages.hasWaiting()
        || rendezvous.hasAnnounced()
        || messages.accesses().hasOpen()
        || frames.hasWaiting()
        || actives.hasWaiting()
        || actives.isOwed()
        || control.expectsBytes();
  }

  /** Whether anything is queued or unacknowledged. */
  public boolean hasUnfinished() {
    return messages.hasUnfinished()
        || control.hasWaiting()
        || frames.hasWaiting()
        || actives.hasWaiting()
        || answers.hasWaiting()
        || outbox.hasPacketsOnTheWay();
  }

  /** Fails what is not wholly in packets. */
  public void failUnsent(FabricError error, String detail) {
    messages.failUnsent(error, detail);
    frames.failAll(error, detail);
    actives.failAll(error, detail);
    answers.endAll();
    control.forget();
  }
}
