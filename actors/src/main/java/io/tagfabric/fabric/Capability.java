package io.tagfabric.fabric;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an endpoint may be able to do, by libfabric's names. This is also the table of which kinds
 * of endpoints can: a name without a kind is known, and nothing here has it.
 *
 * @source libfabric fi_getinfo(3), capabilities
 */
public enum Capability {
  /** Untagged messages. */
  MSG(Rank.PRIMARY),
  /** Tagged messages. */
  TAGGED(Rank.PRIMARY),
  /** Reading and writing the memory of peers. */
  RMA(Rank.PRIMARY),
  /** Atomic operations on the memory of peers. */
  ATOMIC(Rank.PRIMARY),
  /** Messages to groups of endpoints. */
  MULTICAST(Rank.PRIMARY),
  /** Sending to a certain receive context of a peer. */
  NAMED_RX_CTX(Rank.PRIMARY),
  /** Receives for the messages of one peer. */
  DIRECTED_RECV(Rank.PRIMARY),
  /** The same, named for tagged messages alone. */
  TAGGED_DIRECTED_RECV(Rank.PRIMARY),
  /**
   * Collectives of endpoints; teams of the module collectives are not operations of an endpoint.
   */
  COLLECTIVE(Rank.PRIMARY),
  /** Memory of devices. */
  HMEM(Rank.PRIMARY),
  /** Operations that devices start. */
  XPU(Rank.PRIMARY),
  /** Names of the program's own for peers. */
  AV_USER_ID(Rank.PRIMARY),
  /** Objects that providers share. */
  PEER(Rank.PRIMARY),
  /** Sends. */
  SEND(Rank.MODIFIER),
  /** Receives. */
  RECV(Rank.MODIFIER),
  /** Reads of the memory of peers. */
  READ(Rank.MODIFIER),
  /** Writes to the memory of peers. */
  WRITE(Rank.MODIFIER),
  /** Memory that peers read. */
  REMOTE_READ(Rank.MODIFIER),
  /** Memory that peers write. */
  REMOTE_WRITE(Rank.MODIFIER),
  /** One buffer for many untagged messages. */
  MULTI_RECV(Rank.SECONDARY),
  /** One buffer for many tagged messages. */
  TAGGED_MULTI_RECV(Rank.SECONDARY),
  /** The sender of a message. */
  SOURCE(Rank.SECONDARY),
  /** The address of a sender that is no peer; here each sender becomes one. */
  SOURCE_ERR(Rank.SECONDARY),
  /** News of what peers do to memory. */
  RMA_EVENT(Rank.SECONDARY),
  /** Address vectors of several processes. */
  SHARED_AV(Rank.SECONDARY),
  /** Operations that begin when a counter gets so far. */
  TRIGGER(Rank.SECONDARY),
  /** Operations that wait for those before. */
  FENCE(Rank.SECONDARY),
  /** Immediate data; a flag there. */
  REMOTE_CQ_DATA(Rank.SECONDARY),
  /** Peers on this host. */
  LOCAL_COMM(Rank.SECONDARY),
  /** Peers on other hosts, or in other JVMs. */
  REMOTE_COMM(Rank.SECONDARY),
  /** Memory that outlives power. */
  RMA_PMEM(Rank.SECONDARY);

  /** How a capability is asked for. */
  enum Rank {
    /** Had only by those who ask for it. */
    PRIMARY,
    /** All that make sense, unless some are asked for. */
    MODIFIER,
    /** Had by those who do not ask for it, too. */
    SECONDARY
  }

  /** The one table of what endpoints have; of the kinds that it does not name there are none. */
  private static final Map<EndpointKind, Set<Capability>> TABLE =
      Map.of(
          EndpointKind.DGRAM,
          EnumSet.of(
              MSG,
              TAGGED,
              NAMED_RX_CTX,
              MULTI_RECV,
              TAGGED_MULTI_RECV,
              TRIGGER,
              DIRECTED_RECV,
              TAGGED_DIRECTED_RECV,
              SEND,
              RECV,
              SOURCE,
              REMOTE_CQ_DATA,
              LOCAL_COMM,
              REMOTE_COMM),
          EndpointKind.RDM,
          EnumSet.of(
              MSG,
              TAGGED,
              RMA,
              ATOMIC,
              NAMED_RX_CTX,
              MULTI_RECV,
              TAGGED_MULTI_RECV,
              TRIGGER,
              FENCE,
              DIRECTED_RECV,
              TAGGED_DIRECTED_RECV,
              SEND,
              RECV,
              READ,
              WRITE,
              REMOTE_READ,
              REMOTE_WRITE,
              RMA_EVENT,
              SOURCE,
              REMOTE_CQ_DATA,
              LOCAL_COMM,
              REMOTE_COMM));

  private final Rank rank;

  Capability(Rank rank) {
    this.rank = rank;
  }

  Rank rank() {
    return rank;
  }

  /** All that endpoints of a kind have, over a provider that reaches other JVMs or does not. */
  static Set<Capability> of(EndpointKind kind, boolean reachesOthers) {
    Set<Capability> all = EnumSet.noneOf(Capability.class);
    all.addAll(TABLE.getOrDefault(kind, Set.of()));
    if (!reachesOthers) {
      all.remove(REMOTE_COMM);
    }
    return all;
  }

  /** The capability of a name, with or without {@code FI_} in front; case does not count. */
  public static Optional<Capability> find(String name) {
    String plain = name.strip().toUpperCase(Locale.ROOT).replaceFirst("^FI_", "");
    return Stream.of(values()).filter(each -> each.name().equals(plain)).findFirst();
  }
}
