package io.tagfabric.address;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.annotation.InternalApi;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The peers of one domain by index. Inserting and looking up are direct calls on the {@link
 * AddressTable}; actors tell the {@link Command}s instead.
 *
 * @source libfabric fi_av(3)
 */
public final class AddressVector {
  /** What an address vector can be told. */
  public sealed interface Command {}

  /** Add peers. */
  public record Insert(List<EndpointAddress> addresses, ActorRef<Inserted> replyTo)
      implements Command {
    public Insert {
      Objects.requireNonNull(addresses, "addresses");
      addresses.forEach(address -> Objects.requireNonNull(address, "address"));
      addresses = List.copyOf(addresses);
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Remove a peer. Messages it has sent before can still be received. */
  public record Remove(int peer, ActorRef<Removed> replyTo) implements Command {
    public Remove {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Tell a peer's address. */
  public record Lookup(int peer, ActorRef<LookupOutcome> replyTo) implements Command {
    public Lookup {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * A node is lost.
   *
   * @param incarnation of the ActorSystem that ran there, 0 for any
   * @param detail how, for people
   */
  public record NodeGone(String node, long incarnation, String detail) implements Command {
    public NodeGone {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** Answer to {@link Insert}: the indices, in the order of the addresses. */
  public record Inserted(List<Integer> peers) {}

  /** Answer to {@link Remove}. */
  public record Removed(int peer, boolean wasThere) {}

  /** Answers to {@link Lookup}. */
  public sealed interface LookupOutcome {}

  /** It is here. */
  public record Found(int peer, EndpointAddress address) implements LookupOutcome {}

  /** It was never inserted, or has been removed. */
  public record NotFound(int peer) implements LookupOutcome {}

  /**
   * A peer of this vector is on a node that is gone.
   *
   * @param detail how, for people
   */
  public record PeerGone(int peer, EndpointAddress address, String detail) {}

  private final ActorRef<Command> ref;
  private final AddressTable table;

  @InternalApi
  public AddressVector(ActorRef<Command> ref, AddressTable table) {
    this.ref = ref;
    this.table = table;
  }

  /**
   * The actor behind a vector.
   *
   * @param onPeerGone runs on the loop, once for each peer whose node is gone
   */
  @InternalApi
  public static Behavior<Command> behavior(AddressTable table, Consumer<PeerGone> onPeerGone) {
    return AddressVectorActor.create(table, onPeerGone);
  }

  /** The actor. */
  public ActorRef<Command> ref() {
    return ref;
  }

  /** Adds a peer, or finds it; returns its index. Thread: any. */
  public int insert(EndpointAddress address) {
    return table.insert(address);
  }

  /** Adds peers; returns their indices in order. Thread: any. */
  public int[] insertAll(List<EndpointAddress> addresses) {
    return table.insertAll(addresses);
  }

  /**
   * Index of a context of a scalable endpoint: what is sent there goes to that context, whatever
   * its tag. Thread: any.
   *
   * @param peer index of the whole endpoint
   * @param number of the context, from 0
   * @throws IllegalArgumentException if the peer is no scalable endpoint, or has no such context
   */
  public int context(int peer, int number) {
    int[] contexts = table.snapshot().contexts(peer);
    if (number < 0 || number >= contexts.length) {
      throw new IllegalArgumentException(
          "context="
              + number
              + " of peer="
              + peer
              + " is not among its contexts="
              + contexts.length);
    }
    return contexts[number];
  }

  /** The address at an index, null if it was never set or has been removed. Thread: any. */
  public EndpointAddress lookup(int peer) {
    return table.snapshot().lookup(peer);
  }

  /** Removes a peer; false if it was not there. Thread: any. */
  public boolean remove(int peer) {
    return table.remove(peer) != null;
  }

  /** All peers now. Thread: any. */
  public AddressSnapshot snapshot() {
    return table.snapshot();
  }
}
