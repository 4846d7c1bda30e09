package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.access.Access;
import io.tagfabric.access.AccessListener;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.DirectSends;
import io.tagfabric.link.NoteDesk;
import io.tagfabric.link.send.RepeatedSend;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.MessageReader;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.RepeatedReceive;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.receive.DirectReceives;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.agrona.DirectBuffer;

/**
 * An endpoint for code that runs on its domain's loop and tells nobody: operations begin when the
 * handler that is at work has returned, in the order given, and after all that the code has told
 * the endpoint's actors before. Each ends by its listener, which is also the context by which it is
 * cancelled.
 *
 * <p>Thread: the domain's loop.
 */
public final class EndpointPort {
  private final Endpoint endpoint;
  private final DirectSends direct;
  private final DirectReceives receives;
  private final NoteDesk notes;
  private final ActorRef<TagMatcher.CancelOutcome> ignored;

  EndpointPort(
      Endpoint endpoint,
      DirectSends direct,
      DirectReceives receives,
      NoteDesk notes,
      ActorRef<TagMatcher.CancelOutcome> ignored) {
    this.notes = notes;
    this.endpoint = endpoint;
    this.direct = direct;
    this.receives = receives;
    this.ignored = ignored;
  }

  /**
   * Sends a message.
   *
   * @throws IllegalArgumentException if it shall leave now or not at all
   */
  public void send(TaggedSend send, SendListener listener) {
    Objects.requireNonNull(listener, "listener");
    Endpoint.requirePatient(send.isImmediate());
    SendOperation operation = send.operation(listener, listener);
    operation.internal();
    endpoint.start(operation);
  }

  /**
   * Receives a whole message.
   *
   * @throws IllegalArgumentException if the receive has a buffer
   */
  public void receive(TaggedReceive receive, ReceiveListener listener) {
    PostedReceive posted = PostedReceive.ofMessage(receive, listener, listener);
    posted.internal();
    endpoint.start(posted);
  }

  /**
   * Begins a send once more that has ended; it makes nothing.
   *
   * @throws IllegalArgumentException if the bytes do not lie in the buffer
   */
  @InternalApi
  public void send(RepeatedSend send, long tag, DirectBuffer buffer, int offset, int length) {
    send.again(tag, buffer, offset, length);
    endpoint.start(send);
  }

  /**
   * Begins an access to memory of a peer.
   *
   * @throws IllegalArgumentException if it shall leave now or not at all
   */
  public void access(Access access, AccessListener listener) {
    Endpoint.requirePatient(access.isImmediate());
    endpoint.memory().begin(access, listener);
  }

  /** Posts a receive once more that has ended; it makes nothing. */
  @InternalApi
  public void receive(RepeatedReceive receive, long tag) {
    receive.again(tag);
    endpoint.start(receive);
  }

  /**
   * Sends a short message at once, if that can be done now. Thread: any.
   *
   * @return false if nothing has happened: the message must be sent as any other
   * @throws IllegalArgumentException if it is longer than {@code injectBytes} of the endpoint
   */
  @InternalApi
  public boolean inject(int peer, long tag, DirectBuffer buffer, int offset, int length) {
    endpoint.settings().requireInjectable(length);
    return direct.inject(peer, buffer, offset, length, false, 0, false, tag);
  }

  /**
   * From now on all messages with a tag go to a reader, and none to receives. Thread: any but the
   * loop; before a peer knows the endpoint.
   */
  @InternalApi
  public void read(MessageReader reader) {
    receives.read(reader);
  }

  /**
   * Longest message that both this endpoint and a peer take, the same number at both; 0 unless
   * their flow is open.
   */
  @InternalApi
  public int maxMessageBytes(int peer) {
    return direct.maxMessageBytes(peer);
  }

  /** Whether there is a flow with a peer that is not lost. */
  @InternalApi
  public boolean reaches(int peer) {
    return direct.reaches(peer);
  }

  /**
   * Sets up the flow to a peer if there is none.
   *
   * @param onEnd runs once, later: with null when the flow is open, else with the reason why there
   *     is none
   */
  @InternalApi
  public void connect(int peer, Consumer<FabricException> onEnd) {
    direct.connect(peer, onEnd::accept);
  }

  /** Takes back the send with this listener, if bytes of it are left. */
  public void cancelSend(Object listener) {
    if (!direct.cancel(listener)) {
      endpoint.ref().tell(new Endpoint.CancelSend(listener, ignored));
    }
  }

  /** Cancels the receive with this listener, if it has not matched. */
  public void cancelReceive(Object listener) {
    if (!receives.cancel(listener)) {
      endpoint.matcher().tell(new TagMatcher.CancelReceive(listener, ignored));
    }
  }

  /** Shows each flow there is or was, by number, to a check that changes nothing. */
  @InternalApi
  public void inspectFlows(Consumer<Flow> check) {
    direct.inspectFlows(check);
  }

  /** What flows have counted that {@link #inspectFlows} does not show any more. */
  public FlowCounters.Snapshot forgottenFlows() {
    return direct.forgottenFlows();
  }

  // ---- notes ----

  /**
   * Sends a note: a message beside the tagged ones, with a credit of its own, so it arrives however
   * many tagged messages wait at the peer. Notes to one peer come in the order sent; one may
   * overtake tagged messages.
   *
   * @param channel who reads it there
   * @throws FabricException with MESSAGE_SIZE beyond {@value NoteDesk#MOST_NOTE_BYTES} bytes
   */
  @InternalApi
  public void sendNote(int peer, int channel, byte[] note, NoteDesk.Failure onFailed) {
    notes.send(peer, channel, note, onFailed);
  }

  /** Reads the notes of a channel from now on, and those that came before. */
  @InternalApi
  public void receiveNotes(int channel, NoteDesk.Reader reader) {
    notes.receive(channel, reader);
  }

  /** Ends {@link #receiveNotes}. */
  @InternalApi
  public void endNotes(int channel) {
    notes.endReceive(channel);
  }

  /** Drops what came, and what will come, for channels that nobody reads and that are over. */
  @InternalApi
  public void discardNotes(IntPredicate isOver) {
    notes.discard(isOver);
  }
}
