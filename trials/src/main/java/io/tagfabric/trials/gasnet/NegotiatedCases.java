package io.tagfabric.trials.gasnet;

import static io.tagfabric.trials.gasnet.ActiveCases.requireEcho;
import static io.tagfabric.trials.gasnet.ActiveTraffic.pattern;
import static io.tagfabric.trials.gasnet.ActiveTraffic.require;

import io.tagfabric.active.ActiveCall;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.active.ActiveReplyClaim;
import io.tagfabric.active.ActiveRequestClaim;
import io.tagfabric.memory.RegionDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Mediums whose payload is written in place, and long replies; parts of the cases of {@link
 * ActiveCases}.
 *
 * @source GASNet tests, testcore2 and testcore4, negotiated payload
 */
final class NegotiatedCases {
  private static final int IN_PLACE = 3;
  private static final int LONG = 4;
  private static final int LONG_BYTES = 5_000;
  private static final int PLACE = 200_000;
  private static final int DEPTH = 16;

  private NegotiatedCases() {}

  /** Registers the handlers. */
  static void register(ActiveTraffic traffic) {
    traffic.active().register(IN_PLACE, NegotiatedCases::echo);
    traffic.active().register(LONG, NegotiatedCases::replyLong);
  }

  private static void echo(ActiveCall call) {
    try (ActiveReplyClaim claim =
        call.prepareReply(call.argumentCount(), call.length(), call.length())) {
      claim.buffer().putBytes(0, call.buffer(), call.offset(), call.length());
      claim.commit(call.length(), ActiveCases.argumentsOf(call));
    }
  }

  /**
   * Writes bytes that say how many arguments it has into the asker's region, where nothing else is
   * written.
   */
  private static void replyLong(ActiveCall call) {
    RegionDescriptor to = RegionDescriptor.decode(call.buffer(), call.offset());
    UnsafeBuffer bytes = new UnsafeBuffer(pattern(LONG_BYTES, call.argumentCount()));
    call.replyLong(to, PLACE, ActiveCases.argumentsOf(call), bytes, 0, LONG_BYTES);
  }

  /** Many at a time: even ones in a packet if one has room, odd ones in a buffer. */
  static void mediums(ActiveTraffic traffic, int length) {
    List<CompletionStage<ActiveReply>> replies = new ArrayList<>();
    for (int i = 0; i < DEPTH; i++) {
      int peer = traffic.toPartner();
      try (ActiveRequestClaim given = traffic.active().prepare(peer, 0, 0, length)) {
        given.buffer().setMemory(0, given.capacity(), (byte) 1); // and it is given up
      }
      UnsafeBuffer own = new UnsafeBuffer(new byte[length]);
      try (ActiveRequestClaim claim =
          i % 2 == 0
              ? traffic.active().prepare(peer, 2, length, length)
              : traffic.active().prepare(peer, 2, own, 0, length)) {
        claim.buffer().putBytes(0, pattern(length, i));
        replies.add(claim.commit(IN_PLACE, length, i, length));
      }
    }
    for (int i = 0; i < DEPTH; i++) {
      String what = "negotiated medium of " + length + " bytes";
      ActiveReply reply = traffic.result(replies.get(i), what);
      requireEcho(reply, new int[] {i, length}, pattern(length, i), what);
    }
  }

  /** One medium with these arguments. */
  static void count(ActiveTraffic traffic, int[] arguments, byte[] medium) {
    int peer = traffic.toPartner();
    int count = arguments.length;
    String what = count + " arguments and a negotiated medium";
    try (ActiveRequestClaim claim =
        traffic.active().prepare(peer, count, medium.length, medium.length)) {
      claim.buffer().putBytes(0, medium);
      requireEcho(
          traffic.result(claim.commit(IN_PLACE, medium.length, arguments), what),
          arguments,
          medium,
          what);
    }
  }

  /** The same of a long reply. */
  static void longReply(ActiveTraffic traffic, RegionDescriptor own, int[] arguments) {
    String what = arguments.length + " arguments and a long reply";
    UnsafeBuffer encoded = new UnsafeBuffer(new byte[RegionDescriptor.LENGTH]);
    own.encode(encoded, 0);
    traffic.memory().setMemory(PLACE, LONG_BYTES, (byte) 0);
    requireEcho(
        traffic.result(
            traffic.active().request(traffic.toPartner(), LONG, arguments, encoded.byteArray()),
            what),
        arguments,
        new byte[0],
        what);
    UnsafeBuffer wanted = new UnsafeBuffer(pattern(LONG_BYTES, arguments.length));
    UnsafeBuffer there = new UnsafeBuffer(traffic.memory(), PLACE, LONG_BYTES);
    require(there.equals(wanted), what + ": other bytes were there");
  }
}
