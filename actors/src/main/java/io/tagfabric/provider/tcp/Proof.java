package io.tagfabric.provider.tcp;

import io.tagfabric.cluster.job.KeyProof;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What two nodes say before the first record, to prove to each other that they have the job's key
 * and that what they say is of this moment. All numbers are big endian.
 *
 * <pre>
 *  dialler   dial: who, whom, nonce, proof
 *  listener  answer: status, stream, nonce, proof; nothing unless the proof of the dial holds
 *  dialler   finish: position, proof
 *  listener  go: position, proof; the connection serves from here on
 * </pre>
 *
 * <p>Each proof is over all that was said before, so none of them serves a second time. A dial that
 * is sent again by a stranger gets an answer and no more.
 */
public final class Proof {
  public static final int DIAL_BYTES = 9 * Long.BYTES + KeyProof.BYTES;
  public static final int ANSWER_BYTES = 5 * Long.BYTES + KeyProof.BYTES;
  public static final int POSITION_BYTES = Long.BYTES + KeyProof.BYTES;

  /** The connection is welcome. */
  public static final int WELCOME = 0;

  /** The node that is asked for is not here. */
  static final int ANOTHER = 1;

  /** The stream that is to go on has ended here. */
  static final int ENDED = 2;

  private static final long MAGIC = 0x5446_5443_5000_0000L + TcpAddress.VERSION;
  private static final int PROOF_AT_DIAL = DIAL_BYTES - KeyProof.BYTES;
  private static final int PROOF_AT_ANSWER = ANSWER_BYTES - KeyProof.BYTES;

  /**
   * The first message.
   *
   * @param incarnation of the dialler's ActorSystem
   * @param token of the dialler's node
   * @param wanted the listener that is asked for
   * @param stream number of the dialler's stream
   * @param peersStream number of the listener's stream that is to go on, 0 for none
   */
  public record Dial(long incarnation, long token, NodeId wanted, long stream, long peersStream) {
    NodeId from() {
      return new NodeId(incarnation, token);
    }
  }

  /** What identifies a node. */
  public record NodeId(long incarnation, long token) {
    /** Whether this one keeps its own connection if both dial at once. */
    boolean isAbove(NodeId other) {
      int byIncarnation = Long.compareUnsigned(incarnation, other.incarnation);
      return byIncarnation != 0 ? byIncarnation > 0 : Long.compareUnsigned(token, other.token) > 0;
    }
  }

  /**
   * The second message.
   *
   * @param status {@link #WELCOME}, or why not
   * @param stream number of the listener's stream
   */
  public record Answer(int status, long stream) {}

  private Proof() {}

  /**
   * What proves the set-up of connections.
   *
   * @param setUp what proves that of flows
   */
  public static KeyProof of(KeyProof setUp) {
    return setUp.toward("tagfabric tcp connections");
  }

  /** A first message. */
  public static byte[] dial(KeyProof proofs, Dial dial, long nonceHigh, long nonceLow) {
    ByteBuffer bytes =
        ByteBuffer.allocate(DIAL_BYTES)
            .putLong(MAGIC)
            .putLong(dial.incarnation)
            .putLong(dial.token)
            .putLong(dial.wanted.incarnation)
            .putLong(dial.wanted.token)
            .putLong(dial.stream)
            .putLong(dial.peersStream)
            .putLong(nonceHigh)
            .putLong(nonceLow);
    byte[] said = Arrays.copyOf(bytes.array(), PROOF_AT_DIAL);
    return bytes.put(proofs.over(said)).array();
  }

  /** Which key proves a dial, {@link KeyProof#NO_KEY} if none does. */
  static int keyOfDial(KeyProof proofs, byte[] message) {
    byte[] said = Arrays.copyOf(message, PROOF_AT_DIAL);
    byte[] proof = Arrays.copyOfRange(message, PROOF_AT_DIAL, DIAL_BYTES);
    return ByteBuffer.wrap(said).getLong() == MAGIC ? proofs.keyOf(proof, said) : KeyProof.NO_KEY;
  }

  static Dial readDial(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message, Long.BYTES, PROOF_AT_DIAL - Long.BYTES);
    return new Dial(
        bytes.getLong(),
        bytes.getLong(),
        new NodeId(bytes.getLong(), bytes.getLong()),
        bytes.getLong(),
        bytes.getLong());
  }

  static byte[] answer(KeyProof proofs, int key, byte[] dial, Answer answer, long high, long low) {
    ByteBuffer bytes =
        ByteBuffer.allocate(ANSWER_BYTES)
            .putLong(MAGIC)
            .putLong(answer.status)
            .putLong(answer.stream)
            .putLong(high)
            .putLong(low);
    byte[] said = Arrays.copyOf(bytes.array(), PROOF_AT_ANSWER);
    return bytes.put(proofs.over(key, dial, said)).array();
  }

  /** Which key proves an answer to a dial, {@link KeyProof#NO_KEY} if none does. */
  public static int keyOfAnswer(KeyProof proofs, byte[] dial, byte[] message) {
    byte[] said = Arrays.copyOf(message, PROOF_AT_ANSWER);
    byte[] proof = Arrays.copyOfRange(message, PROOF_AT_ANSWER, ANSWER_BYTES);
    return ByteBuffer.wrap(said).getLong() == MAGIC
        ? proofs.keyOf(proof, dial, said)
        : KeyProof.NO_KEY;
  }

  /** What a second message says. */
  public static Answer readAnswer(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message, Long.BYTES, 2 * Long.BYTES);
    return new Answer((int) bytes.getLong(), bytes.getLong());
  }

  /**
   * A finish, or the go that answers it.
   *
   * @param before all that was said before, in order
   * @param position up to which the writer has the other's stream
   */
  public static byte[] position(KeyProof proofs, int key, long position, byte[]... before) {
    byte[] said = KeyProof.part(position);
    return ByteBuffer.allocate(POSITION_BYTES)
        .put(said)
        .put(proofs.over(key, with(before, said)))
        .array();
  }

  /** Whether a finish or go is proved, by the key that proved what was before. */
  static boolean isPosition(KeyProof proofs, int key, byte[] message, byte[]... before) {
    byte[] said = Arrays.copyOf(message, Long.BYTES);
    byte[] proof = Arrays.copyOfRange(message, Long.BYTES, POSITION_BYTES);
    return proofs.keyOf(proof, with(before, said)) == key;
  }

  static long readPosition(byte[] message) {
    return ByteBuffer.wrap(message).getLong();
  }

  private static byte[][] with(byte[][] before, byte[] said) {
    byte[][] parts = Arrays.copyOf(before, before.length + 1);
    parts[before.length] = said;
    return parts;
  }
}
