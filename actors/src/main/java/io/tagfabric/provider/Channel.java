package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.List;

/** The way of packets from one endpoint to one peer. Single threaded: the domain's loop. */
public interface Channel {
  /**
   * Hands a sealed packet over.
   *
   * @param packet the channel takes its own reference if it keeps the packet after returning
   * @return false if there is no room now; the caller offers it again, in order
   */
  boolean offer(Packet packet);

  /**
   * Hands a short message over by itself, without a packet around it, after everything offered
   * before. Only for a channel that loses nothing: the message is neither counted nor kept.
   *
   * @param flow key of the flow at the peer, see {@link io.tagfabric.wire.FlowKey}
   * @param message only there during the call
   * @return false if nothing has happened: there is no room, or this channel only takes packets
   */
  default boolean inject(long flow, MessageView message) {
    return false;
  }

  /**
   * Hands the frames of a short packet over without its header, after everything offered before.
   * Only for a channel that loses nothing: they are neither counted nor kept, and what the header
   * would say is said by the next one.
   *
   * @param flow key of the flow at the peer, see {@link io.tagfabric.wire.FlowKey}
   * @param packet not sealed, only there during the call
   * @return false if nothing has happened: there is no room, or this channel only takes packets
   */
  default boolean offerFrames(long flow, Packet packet) {
    return false;
  }

  /**
   * An empty packet of the largest size in memory that {@link #offer} need not copy from; it must
   * be offered to this channel or released.
   *
   * @return null if there is none now; then any packet does
   */
  default Packet largePacket() {
    return null;
  }

  /** The memory that both ends reach; null if there is none. */
  default SharedMemory sharedMemory() {
    return null;
  }

  /** The regions of the peer that this side accesses itself; null if there are none. */
  @InternalApi
  default DirectMemory directMemory() {
    return null;
  }

  /**
   * Whether the way to the peer is there. One that closes before it ever was has carried nothing,
   * and another provider may serve.
   */
  default boolean isOpen() {
    return true;
  }

  /** Whether all that was offered has left, and nothing of it can be lost by a close. */
  default boolean isDrained() {
    return true;
  }

  /** Why nothing can be sent any more, null while the channel is open. */
  String closedBecause();

  /** What its flows end with when it is closed. */
  default FabricError closedWith() {
    return FabricError.SHUTDOWN;
  }

  /**
   * The peer has been asked for long and is silent, but its node is a member of the cluster. Looks
   * whether the peer's end of this channel is still there, and closes the channel if it is known
   * that it is not. Called again while the silence lasts. Nothing to do where a channel hears of
   * that by itself.
   */
  default void inquire() {}

  /** The peer has all counted packets up to this sequence. */
  default void acknowledged(long sequence) {}

  /** Whether packets may overtake each other on the way although none is lost. */
  default boolean reorders() {
    return false;
  }

  /** What each path has carried, by number; empty if there is only one way. */
  default List<PathInfo> paths() {
    return List.of();
  }
}
