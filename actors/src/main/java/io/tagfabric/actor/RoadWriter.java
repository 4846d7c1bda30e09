package io.tagfabric.actor;

import akka.actor.ActorRef;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendListener;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes what goes to a peer by the fabric, and sees to what does not arrive. Thread: any. */
final class RoadWriter {
  private final Road road;
  private final RefNode node;
  private final RoadQueue queue;
  private final RoadHeld held;
  private final TypeNumbers types = new TypeNumbers(this::control);

  RoadWriter(Road road, RefNode node, RoadQueue queue, RoadHeld held) {
    this.road = road;
    this.node = node;
    this.queue = queue;
    this.held = held;
  }

  /**
   * Writes a message and sends it, if there is room.
   *
   * @param number of the twin; not positive if it goes by its name
   * @return why there is no room; null if the message was taken, or dropped for another reason
   */
  String write(FabricRef twin, int number, Object message, ActorRef sender) {
    if (road.isLost()) {
      node.dead(twin, message, sender);
      return null;
    }
    if (road.isByArtery()) {
      held.tell(twin, message, sender);
      return null;
    }
    Scratch scratch = Scratch.take();
    try {
      scratch.show(node.serialization(), message);
      int type = types.of(scratch.serializerId(), scratch.manifest());
      String recipient = number > 0 ? null : twin.local();
      int length =
          scratch.write(
              node.near(), type, node.textOf(sender), recipient, node.limits().maxBytes());
      return post(RefTags.tell(number), scratch.view(), length, twin, message, sender);
    } catch (Exception | LinkageError | StackOverflowError e) {
      node.reports().unwritable(twin, message, sender, e);
      return null;
    } finally {
      scratch.give();
    }
  }

  private String post(
      long tag, UnsafeBuffer bytes, int length, FabricRef twin, Object message, ActorRef sender) {
    node.counters().sent.increment(); // before it goes: who gets it finds it counted
    boolean isPosted = false;
    try {
      String refusal = postCounted(tag, bytes, length, twin, message, sender);
      isPosted = refusal == null;
      return refusal;
    } finally {
      if (!isPosted) {
        node.counters().sent.decrement();
      }
    }
  }

  private String postCounted(
      long tag, UnsafeBuffer bytes, int length, FabricRef twin, Object message, ActorRef sender) {
    if (node.inject(road.peer(), tag, bytes, length)) {
      return null;
    }
    if (!queue.enter(length)) {
      return queue.text(length);
    }
    byte[] copy = new byte[length];
    bytes.getBytes(0, copy);
    node.send(
        road.peer(),
        tag,
        copy,
        new SendListener() {
          @Override
          public void onSent(Completion.Sent sent) {
            queue.leave(length);
            if (road.isByArtery()) {
              held.release();
            }
          }

          @Override
          public void onFailed(Completion.Failed failure) {
            queue.leave(length);
            if (failure.error() == FabricError.MESSAGE_SIZE) {
              node.reports()
                  .unwritable(
                      twin,
                      message,
                      sender,
                      new FabricException(failure.error(), failure.detail()));
            } else if (failure.mayHaveArrived() || !isByArteryAfter(failure)) {
              node.dead(twin, message, sender);
            } else {
              held.tellUnsent(twin, message, sender);
            }
            if (road.isByArtery()) {
              held.release();
            }
          }
        });
    return null;
  }

  /** Whether a closed endpoint, or what was known before, makes messages go by Akka's remoting. */
  private boolean isByArteryAfter(Completion.Failed failure) {
    if (failure.error() == FabricError.SHUTDOWN) {
      road.lose(failure.error(), failure.detail(), true);
    }
    return road.isByArtery();
  }

  /**
   * Tells the peer something about references at once; neither with the lock, because a send may
   * wait for the loop, nor taking it, because the numbers of types call it with theirs, and who has
   * the lock may ask them.
   */
  void control(RefMessage message) {
    int to = road.peer();
    if (to == Road.NO_PEER || road.isByArtery() || road.isLost()) {
      return;
    }
    node.send(
        to,
        RefTags.CONTROL,
        RefMessage.CODEC.encode(message),
        new SendListener() {
          @Override
          public void onSent(Completion.Sent sent) {}

          @Override
          public void onFailed(Completion.Failed failure) {
            // If a flow is lost, the reader hears of it first, and knows more.
            node.loop().execute(() -> road.lose(failure.error(), failure.detail(), false));
          }
        });
  }
}
