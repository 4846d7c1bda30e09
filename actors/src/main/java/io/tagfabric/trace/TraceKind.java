package io.tagfabric.trace;

import java.util.Arrays;
import java.util.Optional;

/**
 * What an event says. {@link TraceEvent} has the fields; what a kind does not name is 0. Files hold
 * the codes, which stay as they are.
 */
public enum TraceKind {
  /** A pass that has found work has ended; length: the work, extra: its time in ns. */
  PASS(1),
  /** A thread has slept; extra: for how many ns. */
  SLEPT(2),
  /** A send begins; operation, peer, tag, length. */
  SEND_POSTED(3),
  /** It cannot leave yet; operation, peer, tag, length; how: {@link Wait}. */
  SEND_WAITS(4),
  /**
   * A message is in a packet, with its first bytes or the request for them; flow, number,
   * operation, tag, length, peer; extra: the receiver's incarnation; how: {@link Way}.
   */
  SENT(5),
  /** The receiver asks for bytes of an announced message; operation; length: up to which. */
  ASKED(6),
  /** A send has reached its level; operation, peer, tag, length. */
  SEND_COMPLETED(7),
  /** It has failed; how: the code of the error. */
  SEND_FAILED(8),
  /** A receive is posted; operation, peer, tag, extra: bits ignored, length: its room. */
  RECEIVE_POSTED(9),
  /**
   * A message has come; flow, number, tag, length, peer; extra: the sender's incarnation; how:
   * {@link Way}.
   */
  ARRIVED(10),
  /** No receive takes it yet; flow, number, tag; length: messages that wait now. */
  KEPT(11),
  /** A receive takes it; flow, number, operation, tag; how: 1 if it had waited. */
  MATCHED(12),
  /** A receive has its bytes; operation, peer, tag, length. */
  RECEIVE_COMPLETED(13),
  /** It has failed; how: the code of the error. */
  RECEIVE_FAILED(14),
  /** What a flow may still send; flow, peer, number: messages, length: bytes. */
  CREDIT(15),
  /** Packets are sent again; flow, peer, length: how many. */
  REPLAYED(16),
  /** A flow is set up; flow, peer; extra: the peer's incarnation. */
  FLOW_OPENED(17),
  /** It has ended; peer; extra: the peer's incarnation; how: the code of the error. */
  FLOW_LOST(18),
  /** A simulation begins. */
  SIMULATION_BEGUN(19),
  /**
   * A simulated network does something with a packet; flow: rank that it comes from, peer: rank
   * that it goes to, number: its sequence, length; how: {@link Packet}.
   */
  PACKET(20),
  /** A simulated rank has ended; number: the rank, how: its exit code. */
  RANK_ENDED(21),
  /** It is killed; number: the rank. */
  RANK_KILLED(22),
  /** It is given up; number: the rank, extra: the rank that does so. */
  RANK_GIVEN_UP(23),
  /**
   * An access to memory begins; operation, peer, length; number: the region's key, tag: where in
   * it; extra: the peer's incarnation, 0 if unknown; how: {@link Access}.
   */
  ACCESS_POSTED(24),
  /** It has reached its level; operation, peer, length. */
  ACCESS_COMPLETED(25),
  /** It has failed; operation, peer; how: the code of the error. */
  ACCESS_FAILED(26),
  /** The caller has done an access itself, in memory that it reaches; as {@link #ACCESS_POSTED}. */
  ACCESS_REACHED(27),
  /**
   * An access of a peer is done; peer, length; number: the region's key, tag: where in it; extra:
   * the peer's incarnation; how: {@link Access}.
   */
  ACCESS_SERVED(28),
  /** An access of a peer is refused; the same, but how: the code of the error. */
  ACCESS_REFUSED(29),
  /** A datagram is handed to the network; peer, tag, length; extra: the receiver's incarnation. */
  DATAGRAM_SENT(30),
  /** It is dropped, as the network takes no more now; the same. */
  DATAGRAM_UNSENT(31),
  /** A datagram has come; peer, tag, length; extra: the sender's incarnation. */
  DATAGRAM_ARRIVED(32),
  /** A datagram that has come is dropped: no receive was there, or it is too long; peer. */
  DATAGRAM_DROPPED(33),
  /** An access cannot leave yet; operation, peer; how: {@link Wait}. */
  ACCESS_WAITS(34),
  /** Words of a program, in one record or several; {@link TraceEvent#text}. */
  NOTE(35);

  private final int code;

  TraceKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Empty for a code of a later version. */
  static Optional<TraceKind> of(int code) {
    return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
  }

  /** How a message travels. */
  public enum Way {
    /** By itself, without a packet. */
    ALONE(1),
    /** In one frame of a packet. */
    EAGER(2),
    /** In several frames, unasked. */
    PARTS(3),
    /** It asks first. */
    ASKS(4);

    private final int code;

    Way(int code) {
      this.code = code;
    }

    /** What an event holds of it. */
    public int code() {
      return code;
    }

    /** Empty for a code of a later version. */
    public static Optional<Way> of(int code) {
      return Arrays.stream(values()).filter(way -> way.code == code).findFirst();
    }
  }

  /** Why a send waits. */
  public enum Wait {
    /** The flow is being set up. */
    SET_UP(1),
    /** Others wait before it. */
    TURN(2),
    /** The peer's credit or the window is used up, or it has a fence. */
    CREDIT(3);

    private final int code;

    Wait(int code) {
      this.code = code;
    }

    /** What an event holds of it. */
    public int code() {
      return code;
    }

    /** Empty for a code of a later version. */
    public static Optional<Wait> of(int code) {
      return Arrays.stream(values()).filter(wait -> wait.code == code).findFirst();
    }
  }

  /** What an access to memory does. */
  public enum Access {
    /** It writes bytes. */
    WRITE(1),
    /** It reads bytes. */
    READ(2),
    /** It updates or compares elements, and perhaps tells what was there. */
    ATOMIC(3),
    /** It sets bytes to a value. */
    FILL(4),
    /** It waits until those before it are done. */
    FLUSH(5),
    /** It writes bytes and tells the owner. */
    WRITE_WITH_SIGNAL(6);

    private final int code;

    Access(int code) {
      this.code = code;
    }

    /** What an event holds of it. */
    public int code() {
      return code;
    }

    /** Empty for a code of a later version. */
    public static Optional<Access> of(int code) {
      return Arrays.stream(values()).filter(access -> access.code == code).findFirst();
    }
  }

  /** What a simulated network does with a packet or a short message. */
  public enum Packet {
    /** It is handed over. */
    SENT(1),
    /** There is no room for it. */
    REFUSED(2),
    /** It is lost. */
    LOST(3),
    /** A second one is on its way. */
    DOUBLED(4),
    /** Its header says what is not so. */
    FORGED(5),
    /** It has arrived. */
    ARRIVED(6),
    /** A short message is handed over by itself. */
    INJECTED(7),
    /** A short message has arrived by itself. */
    INJECTED_ARRIVED(8),
    /** The ring of a node of the same host has no room for it. */
    FULL(9),
    /** Its sender is held up between the claim and the commit. */
    HELD(10),
    /** Its sender is killed between two stores. */
    KILLED(11),
    /** A ring gives up a record whose sender was killed. */
    REPAIRED(12),
    /** Frames are handed over without a packet's header. */
    BARE(13),
    /** Frames have arrived without a packet's header. */
    BARE_ARRIVED(14);

    private final int code;

    Packet(int code) {
      this.code = code;
    }

    /** What an event holds of it. */
    public int code() {
      return code;
    }

    /** Empty for a code of a later version. */
    public static Optional<Packet> of(int code) {
      return Arrays.stream(values()).filter(packet -> packet.code == code).findFirst();
    }
  }
}
