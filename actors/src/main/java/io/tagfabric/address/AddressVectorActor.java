package io.tagfabric.address;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import java.util.Arrays;
import java.util.function.Consumer;

/** Takes changes of a domain's {@link AddressTable} as messages, and the news of lost nodes. */
final class AddressVectorActor extends AbstractBehavior<AddressVector.Command> {
  private final AddressTable table;
  private final Consumer<AddressVector.PeerGone> onPeerGone;

  private AddressVectorActor(
      ActorContext<AddressVector.Command> context,
      AddressTable table,
      Consumer<AddressVector.PeerGone> onPeerGone) {
    super(context);
    this.table = table;
    this.onPeerGone = onPeerGone;
  }

  static Behavior<AddressVector.Command> create(
      AddressTable table, Consumer<AddressVector.PeerGone> onPeerGone) {
    return Behaviors.setup(context -> new AddressVectorActor(context, table, onPeerGone));
  }

  @Override
  public Receive<AddressVector.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(AddressVector.Insert.class, this::onInsert)
        .onMessage(AddressVector.Lookup.class, this::onLookup)
        .onMessage(AddressVector.Remove.class, this::onRemove)
        .onMessage(AddressVector.NodeGone.class, this::onNodeGone)
        .build();
  }

  private Behavior<AddressVector.Command> onInsert(AddressVector.Insert insert) {
    int[] peers = table.insertAll(insert.addresses());
    insert.replyTo().tell(new AddressVector.Inserted(Arrays.stream(peers).boxed().toList()));
    return this;
  }

  private Behavior<AddressVector.Command> onLookup(AddressVector.Lookup lookup) {
    EndpointAddress address = table.snapshot().lookup(lookup.peer());
    lookup
        .replyTo()
        .tell(
            address == null
                ? new AddressVector.NotFound(lookup.peer())
                : new AddressVector.Found(lookup.peer(), address));
    return this;
  }

  private Behavior<AddressVector.Command> onRemove(AddressVector.Remove remove) {
    boolean wasThere = table.remove(remove.peer()) != null;
    remove.replyTo().tell(new AddressVector.Removed(remove.peer(), wasThere));
    return this;
  }

  private Behavior<AddressVector.Command> onNodeGone(AddressVector.NodeGone gone) {
    AddressSnapshot snapshot = table.snapshot();
    for (int peer = 0; peer < snapshot.limit(); peer++) {
      EndpointAddress address = snapshot.lookup(peer);
      if (address != null
          && address.node().equals(gone.node())
          && (gone.incarnation() == 0 || gone.incarnation() == address.incarnation())) {
        onPeerGone.accept(new AddressVector.PeerGone(peer, address, gone.detail()));
      }
    }
    return this;
  }
}
