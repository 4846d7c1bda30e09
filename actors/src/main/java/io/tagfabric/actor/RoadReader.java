package io.tagfabric.actor;

import akka.actor.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.actor.RefMessage.RefBind;
import io.tagfabric.actor.RefMessage.RefBound;
import io.tagfabric.actor.RefMessage.RefFound;
import io.tagfabric.actor.RefMessage.RefGone;
import io.tagfabric.actor.RefMessage.RefLookup;
import io.tagfabric.actor.RefMessage.RefMissing;
import io.tagfabric.actor.RefMessage.RefRelease;
import io.tagfabric.actor.RefMessage.RefType;
import io.tagfabric.actor.RefMessage.RefUnwatch;
import io.tagfabric.actor.RefMessage.RefWatch;
import io.tagfabric.actor.twin.NearActors;
import io.tagfabric.error.FabricError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The far side of the way from a node: gives its messages to actors of this one. What breaks a rule
 * is dropped and counted. Single threaded: the domain's loop.
 */
final class RoadReader {
  /** A peer knows no more actors than these at a time. */
  static final int MOST_RECIPIENTS = 1 << 20;

  private static final int USUAL_BYTES = 4 * 1024;
  private static final int KEPT_BYTES = 1 << 20;

  private final RefNode node;
  private final Road road;
  private final Int2ObjectHashMap<ActorRef> recipients = new Int2ObjectHashMap<>();
  private final List<RefType> types = new ArrayList<>();
  private ByteBuffer body = allocate(USUAL_BYTES);

  RoadReader(RefNode node, Road road) {
    this.node = node;
    this.road = road;
  }

  Road road() {
    return road;
  }

  private static ByteBuffer allocate(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Takes a message. */
  void onMessage(long tag, DirectBuffer buffer, int offset, int length) {
    switch (RefTags.kind(tag)) {
      case RefTags.TELL_KIND -> onTell(RefTags.number(tag), buffer, offset, length);
      case RefTags.NAMED_KIND -> onTell(0, buffer, offset, length);
      case RefTags.CONTROL_KIND -> onControl(buffer, offset, length);
      default ->
          node.reports().malformed(road.name(), "tag=" + Long.toHexString(tag) + " is of no kind");
    }
  }

  /** The peer is lost: nothing of it is watched here any more. */
  void lost() {
    node.counters().known.add(-recipients.size());
    recipients.clear();
    types.clear();
    node.agent().tell(new RefAgent.Forget(road));
  }

  // ---- messages to actors ----

  private void onTell(int number, DirectBuffer buffer, int offset, int length) {
    if (length < Scratch.HEADER) {
      node.reports().malformed(road.name(), "lengthBytes=" + length + " < " + Scratch.HEADER);
      return;
    }
    int type = buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
    int from = Short.toUnsignedInt(buffer.getShort(offset + 4, ByteOrder.LITTLE_ENDIAN));
    int to = Short.toUnsignedInt(buffer.getShort(offset + 6, ByteOrder.LITTLE_ENDIAN));
    int start = Scratch.HEADER + from + to;
    if (start > length || type < 1 || type > types.size() || (number == 0) == (to == 0)) {
      node.reports()
          .malformed(
              road.name(),
              "lengthBytes="
                  + length
                  + " type="
                  + type
                  + " of "
                  + types.size()
                  + " recipient="
                  + number
                  + " senderBytes="
                  + from
                  + " recipientBytes="
                  + to
                  + " do not fit together");
      return;
    }
    String path = number == 0 ? text(buffer, offset + Scratch.HEADER + from, to) : null;
    if (path == null ? !recipients.containsKey(number) : !NearActors.isTemporary(path)) {
      node.reports()
          .malformed(road.name(), "recipient=" + number + " path=" + path + " has not been bound");
      return;
    }
    ActorRef target = path == null ? recipients.get(number) : node.near().waiting(path);
    Object message = read(types.get(type - 1), buffer, offset + start, length - start);
    if (message == null) {
      return;
    }
    if (NearActors.isHarmful(message)) {
      node.reports().harmful(road.name(), message, target);
      return;
    }
    ActorRef sender =
        from == 0
            ? ActorRef.noSender()
            : node.brought(node.near().resolve(text(buffer, offset + Scratch.HEADER, from)));
    if (target == null) {
      node.late(path, message, sender);
    } else {
      node.counters().received.increment();
      target.tell(message, sender);
    }
  }

  private static String text(DirectBuffer buffer, int at, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Object read(RefType type, DirectBuffer buffer, int at, int length) {
    try {
      if (body.capacity() < length) {
        body = allocate(length);
      }
      body.clear();
      buffer.getBytes(at, body, 0, length);
      body.position(0).limit(length);
      return node.serialization().deserializeByteBuffer(body, type.serializer(), type.manifest());
    } catch (Exception | LinkageError | StackOverflowError e) {
      node.reports().unreadable(road.name(), type.serializer(), type.manifest(), e);
      return null;
    } finally {
      if (body.capacity() > KEPT_BYTES) {
        body = allocate(USUAL_BYTES);
      }
    }
  }

  // ---- about references ----

  private void onControl(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    RefMessage message;
    try {
      message = (RefMessage) RefMessage.CODEC.decode(bytes, 0);
    } catch (IllegalArgumentException e) {
      node.reports().malformed(road.name(), e.getMessage());
      return;
    }
    if (!isTaken(message)) {
      node.reports().malformed(road.name(), message + " does not fit what was said before");
    }
  }

  private boolean isTaken(RefMessage message) {
    if (message instanceof RefBind bind) {
      return onBind(bind);
    } else if (message instanceof RefBound bound) {
      return road.bound(bound.recipient(), bound.refusal());
    } else if (message instanceof RefType type) {
      return onType(type);
    } else if (message instanceof RefRelease release) {
      ActorRef released = recipients.remove(release.recipient());
      if (released != null) {
        node.counters().known.decrement();
        unwatch(released, release.recipient());
      }
      return released != null;
    } else if (message instanceof RefWatch watch) {
      ActorRef target = recipients.get(watch.recipient());
      if (target != null) {
        node.agent().tell(new RefAgent.Watch(Adapter.toTyped(target), road, watch.recipient()));
      }
      return target != null;
    } else if (message instanceof RefUnwatch unwatch) {
      ActorRef target = recipients.get(unwatch.recipient());
      if (target != null) {
        unwatch(target, unwatch.recipient());
      }
      return target != null;
    } else if (message instanceof RefGone gone) {
      road.gone(gone.recipient());
      return true;
    } else if (message instanceof RefLookup lookup) {
      onLookup(lookup);
      return true;
    } else if (message instanceof RefFound found) {
      return road.found(found.number(), found.path(), null, null);
    } else {
      RefMissing missing = (RefMissing) message;
      FabricError error = FabricError.find(missing.error()).orElse(FabricError.OTHER);
      return road.found(missing.number(), null, error, missing.why());
    }
  }

  private void unwatch(ActorRef target, int number) {
    node.agent().tell(new RefAgent.Unwatch(Adapter.toTyped(target), road, number));
  }

  private boolean onType(RefType type) {
    boolean isNext = type.type() == types.size() + 1 && types.size() < TypeNumbers.MOST;
    if (isNext) {
      types.add(type);
    }
    return isNext;
  }

  private boolean onBind(RefBind bind) {
    if (bind.recipient() < 1 || recipients.containsKey(bind.recipient())) {
      return false;
    }
    String refusal = "";
    if (recipients.size() >= MOST_RECIPIENTS) {
      refusal = "recipients=" + recipients.size() + " are all that a peer may know";
    } else {
      ActorRef target = node.allowed(bind.path());
      if (target == null) {
        refusal =
            "actor ["
                + bind.path()
                + "] is not exposed, and without its uid not one that was sent out; expose it by"
                + " FabricActors.expose";
      } else {
        recipients.put(bind.recipient(), target);
        node.counters().known.increment();
      }
    }
    road.control(new RefBound(bind.recipient(), refusal));
    return true;
  }

  private void onLookup(RefLookup lookup) {
    Exposed.Named named = node.exposed().find(lookup.name());
    if (named == null) {
      road.control(
          new RefMissing(
              lookup.number(),
              FabricError.NO_ENTRY.code(),
              "no actor is exposed as [" + lookup.name() + "] there any more"));
    } else if (!named.messages().getName().equals(lookup.type())) {
      road.control(
          new RefMissing(
              lookup.number(),
              FabricError.INVALID.code(),
              RefNode.otherClass(lookup.name(), named.messages().getName(), lookup.type())));
    } else {
      road.control(new RefFound(lookup.number(), node.near().addressed(named.ref())));
    }
  }
}
