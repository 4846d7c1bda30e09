package io.tagfabric.collective.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tagfabric.error.FabricError;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/**
 * Control messages as bytes, little-endian.
 *
 * <pre>
 *   Notice      1  | member, int32 | error code, int32 | text, UTF-8 ...
 *   Proposal    2  | instance, int32 | round, int32 | decided, int8 | flag, int64
 *                  | next context, int32 | bytes of the lost, int32 | lost members, a bit each ...
 *                  | members heard, a bit each ...
 *   Departure   3  | calls, int64
 *   Offer       4  | token, int64 | path, UTF-8 ...
 *   Answer      5  | mapped, int8
 *   Verdict     6  | used, int8
 *   Wake        7
 * </pre>
 */
final class ControlCodec {
  /** No control message is longer: room for a text, or a bit for each of a million members. */
  static final int MAX_LENGTH = 128 * 1024;

  private static final int MAX_TEXT = 4 * 1024;
  private static final byte NOTICE = 1;
  private static final byte PROPOSAL = 2;
  private static final byte DEPARTURE = 3;
  private static final byte OFFER = 4;
  private static final byte ANSWER = 5;
  private static final byte VERDICT = 6;
  private static final byte WAKE = 7;
  private static final int PROPOSAL_LENGTH = 26;

  private ControlCodec() {}

  static byte[] encode(ControlMessage message) {
    if (message instanceof Notice notice) {
      TeamFailure failure = notice.failure();
      byte[] text = failure.detail().getBytes(UTF_8);
      int length = Math.min(text.length, MAX_TEXT);
      return allocate(9 + length)
          .put(NOTICE)
          .putInt(failure.member())
          .putInt(failure.error().code())
          .put(text, 0, length)
          .array();
    }
    if (message instanceof Proposal proposal) {
      byte[] lost = proposal.decision().lost().toByteArray();
      byte[] heard = proposal.heard().toByteArray();
      return allocate(PROPOSAL_LENGTH + lost.length + heard.length)
          .put(PROPOSAL)
          .putInt(proposal.instance())
          .putInt(proposal.round())
          .put((byte) (proposal.decided() ? 1 : 0))
          .putLong(proposal.decision().flag())
          .putInt(proposal.decision().nextContext())
          .putInt(lost.length)
          .put(lost)
          .put(heard)
          .array();
    }
    if (message instanceof SegmentOffer offer) {
      byte[] path = offer.path().getBytes(UTF_8);
      return allocate(9 + path.length).put(OFFER).putLong(offer.token()).put(path).array();
    }
    if (message instanceof SegmentAnswer answer) {
      return new byte[] {ANSWER, (byte) (answer.mapped() ? 1 : 0)};
    }
    if (message instanceof SegmentVerdict verdict) {
      return new byte[] {VERDICT, (byte) (verdict.used() ? 1 : 0)};
    }
    if (message instanceof Wake) {
      return new byte[] {WAKE};
    }
    return allocate(9).put(DEPARTURE).putLong(((Departure) message).calls()).array();
  }

  /**
   * The message that {@link #encode} wrote.
   *
   * @param size members of the team
   * @throws IllegalArgumentException if it is none
   */
  static ControlMessage decode(byte[] bytes, int size) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      return switch (buffer.get()) {
        case NOTICE -> notice(buffer, size);
        case PROPOSAL -> proposal(buffer, size);
        case DEPARTURE -> new Departure(buffer.getLong());
        case OFFER -> new SegmentOffer(buffer.getLong(), UTF_8.decode(buffer).toString());
        case ANSWER -> new SegmentAnswer(buffer.get() != 0);
        case VERDICT -> new SegmentVerdict(buffer.get() != 0);
        case WAKE -> new Wake();
        default -> throw new IllegalArgumentException("type=" + bytes[0] + " is unknown");
      };
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("lengthBytes=" + bytes.length + " is too short", e);
    }
  }

  private static Notice notice(ByteBuffer buffer, int size) {
    int member = buffer.getInt();
    if (member < 0 || member >= size) {
      throw new IllegalArgumentException("member=" + member + " is outside 0.." + (size - 1));
    }
    FabricError error = FabricError.find(buffer.getInt()).orElse(FabricError.OTHER);
    return new Notice(new TeamFailure(member, error, UTF_8.decode(buffer).toString()));
  }

  private static Proposal proposal(ByteBuffer buffer, int size) {
    int instance = buffer.getInt();
    int round = buffer.getInt();
    boolean decided = buffer.get() != 0;
    long flag = buffer.getLong();
    int nextContext = buffer.getInt();
    int lostBytes = buffer.getInt();
    if (round < 0 || round > Agreement.maxRounds(size) || lostBytes < 0) {
      throw new IllegalArgumentException(
          "round=" + round + " and lostBytes=" + lostBytes + " are not of a team of size=" + size);
    }
    if (lostBytes > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    BitSet lost = BitSet.valueOf(buffer.slice(buffer.position(), lostBytes));
    buffer.position(buffer.position() + lostBytes);
    BitSet heard = BitSet.valueOf(buffer);
    if (Math.max(lost.length(), heard.length()) > size) {
      throw new IllegalArgumentException(
          "lost=" + lost + " and heard=" + heard + " are not of a team of size=" + size);
    }
    return new Proposal(instance, round, decided, new Decision(flag, lost, nextContext), heard);
  }

  private static ByteBuffer allocate(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
