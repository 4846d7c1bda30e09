package io.tagfabric.trials.fuzz;

import io.tagfabric.trials.fuzz.PacketMap.Field;
import io.tagfabric.trials.fuzz.PacketMap.Frame;
import io.tagfabric.trials.fuzz.PacketMap.Kind;
import io.tagfabric.wire.PacketLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes wrong packets of right ones. The same packets in the same order meet the same fate. Thread:
 * one.
 *
 * <p>About half of the packets pass as they are, and where a mutated packet cannot be the next one
 * of its flow, the right one follows it: otherwise a flow would be over, or wait for ever, before
 * much of it had been tried.
 */
final class Mutator {
  /** What is done to a packet. */
  enum Mutation {
    NONE(84),
    EDGE_IN_FRAME(16),
    EDGES_IN_FRAME(5),
    EDGE_IN_HEADER(7),
    BIT_IN_FIELD(6),
    BIT_ANYWHERE(3),
    PAYLOAD(3),
    RESIZE(6),
    SWAP_FRAMES(2),
    DOUBLE_FRAME(2),
    DROP_FRAME(1),
    SPLICE(7),
    TRUNCATE(2),
    WRONG_LENGTH(2),
    TWICE(2),
    LATE(1),
    LOST(1),
    GARBAGE(1);

    private final int weight;

    Mutation(int weight) {
      this.weight = weight;
    }
  }

  private static final int ALL_WEIGHTS =
      Arrays.stream(Mutation.values()).mapToInt(mutation -> mutation.weight).sum();
  private static final int CROWD = 200;
  private static final int MAX_PAYLOAD = 600;
  private static final long[] HUGE = {Integer.MAX_VALUE, 1L << 30, 1L << 25, 1L << 20};

  private final SplittableRandom random;
  private final int maxPacketBytes;
  private final RecentValues recent = new RecentValues();
  private byte[] late;

  Mutator(SplittableRandom random, int maxPacketBytes) {
    this.random = random;
    this.maxPacketBytes = maxPacketBytes;
  }

  /** What is sent instead of a packet, in order; may be nothing. */
  List<byte[]> mutate(byte[] packet) {
    int dice = random.nextInt(ALL_WEIGHTS);
    for (Mutation mutation : Mutation.values()) {
      dice -= mutation.weight;
      if (dice < 0) {
        return mutate(packet, mutation);
      }
    }
    throw new AssertionError(dice);
  }

  List<byte[]> mutate(byte[] packet, Mutation mutation) {
    UnsafeBuffer buffer = new UnsafeBuffer(packet);
    List<Frame> frames = PacketMap.frames(buffer, packet.length);
    recent.note(buffer, frames);
    List<byte[]> sent = new ArrayList<>(mutated(packet, frames, mutation));
    if (late != null && mutation != Mutation.LATE) {
      sent.add(late);
      late = null;
    }
    return sent;
  }

  private List<byte[]> mutated(byte[] packet, List<Frame> frames, Mutation mutation) {
    return switch (mutation) {
      case NONE -> List.of(packet);
      case EDGE_IN_FRAME -> List.of(edgesInFrame(packet, frames, 1));
      case EDGES_IN_FRAME -> List.of(edgesInFrame(packet, frames, 2 + random.nextInt(2)));
      case EDGE_IN_HEADER -> List.of(edgeInHeader(packet), packet);
      case BIT_IN_FIELD -> bitInField(packet, frames);
      case BIT_ANYWHERE -> List.of(bitAt(packet, random.nextInt(packet.length)));
      case PAYLOAD -> List.of(payload(packet, frames));
      case RESIZE -> List.of(resized(packet, frames));
      case SWAP_FRAMES -> List.of(swapped(packet, frames));
      case DOUBLE_FRAME -> List.of(doubled(packet, frames));
      case DROP_FRAME -> List.of(without(packet, frames));
      case SPLICE -> List.of(spliced(packet));
      case TRUNCATE -> List.of(truncated(packet, frames), packet);
      case WRONG_LENGTH -> List.of(wrongLength(packet), packet);
      case TWICE -> List.of(packet, packet.clone());
      case LATE -> late(packet);
      case LOST -> List.of();
      case GARBAGE -> List.of(garbage(), packet);
    };
  }

  private byte[] edgesInFrame(byte[] packet, List<Frame> frames, int count) {
    if (frames.isEmpty()) {
      return edgeInHeader(packet);
    }
    byte[] copy = packet.clone();
    UnsafeBuffer buffer = new UnsafeBuffer(copy);
    Frame frame = any(frames);
    for (int i = 0; i < count; i++) {
      boolean ofHeader = random.nextInt(8) == 0;
      edge(buffer, frame.at(), any(ofHeader ? PacketMap.HEADER : frame.kind().fields()));
    }
    return copy;
  }

  private byte[] edgeInHeader(byte[] packet) {
    byte[] copy = packet.clone();
    boolean ofFrame = random.nextInt(8) == 0;
    edge(new UnsafeBuffer(copy), 0, any(ofFrame ? PacketMap.HEADER : PacketMap.PACKET.fields()));
    return copy;
  }

  private void edge(UnsafeBuffer buffer, int at, Field field) {
    long right = field.get(buffer, at);
    field.set(buffer, at, EdgeValues.near(random, right, field.bytes()));
  }

  private List<byte[]> bitInField(byte[] packet, List<Frame> frames) {
    int choice = random.nextInt(frames.size() + 1);
    boolean inHeader = choice == frames.size();
    int at = inHeader ? 0 : frames.get(choice).at();
    Field field = any(inHeader ? PacketMap.PACKET.fields() : frames.get(choice).kind().fields());
    byte[] copy = bitAt(packet, at + field.at() + random.nextInt(field.bytes()));
    return inHeader ? List.of(copy, packet) : List.of(copy);
  }

  private byte[] bitAt(byte[] packet, int index) {
    byte[] copy = packet.clone();
    copy[index] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    return copy;
  }

  private byte[] payload(byte[] packet, List<Frame> frames) {
    List<Frame> filled =
        frames.stream().filter(frame -> frame.length() > frame.kind().fixedBytes()).toList();
    if (filled.isEmpty()) {
      return packet;
    }
    Frame frame = any(filled);
    int fixed = frame.kind().fixedBytes();
    return bitAt(packet, frame.at() + fixed + random.nextInt(frame.length() - fixed));
  }

  /** A frame with more or fewer payload bytes, and all lengths as they should then be. */
  private byte[] resized(byte[] packet, List<Frame> frames) {
    List<Frame> filled = frames.stream().filter(frame -> frame.kind().hasPayload()).toList();
    if (filled.isEmpty()) {
      return packet;
    }
    Frame frame = any(filled);
    int most = maxPacketBytes - packet.length + frame.length() - PacketLayout.ALIGNMENT;
    int more = random.nextBoolean() ? EdgeValues.small(random) : -EdgeValues.small(random);
    int unpadded = Math.max(frame.kind().fixedBytes(), Math.min(most, frame.length() + more));
    int length = PacketLayout.aligned(unpadded);
    byte[] made = Arrays.copyOf(packet, packet.length - frame.length() + length);
    System.arraycopy(packet, frame.end(), made, frame.at() + length, packet.length - frame.end());
    UnsafeBuffer buffer = new UnsafeBuffer(made);
    PacketMap.resize(buffer, frame.at(), unpadded);
    PacketMap.length(buffer, made.length);
    return made;
  }

  private byte[] swapped(byte[] packet, List<Frame> frames) {
    List<Frame> order = new ArrayList<>(frames);
    if (order.size() > 1) {
      int first = random.nextInt(order.size() - 1);
      order.add(first, order.remove(first + 1));
    }
    return assembled(packet, order);
  }

  private byte[] doubled(byte[] packet, List<Frame> frames) {
    List<Frame> order = new ArrayList<>(frames);
    if (!order.isEmpty()) {
      int chosen = random.nextInt(order.size());
      order.add(random.nextInt(order.size() + 1), order.get(chosen));
    }
    return assembled(packet, order);
  }

  private byte[] without(byte[] packet, List<Frame> frames) {
    List<Frame> order = new ArrayList<>(frames);
    if (!order.isEmpty()) {
      order.remove(random.nextInt(order.size()));
    }
    return assembled(packet, order);
  }

  /** The packet's header with frames of it in another order. */
  private byte[] assembled(byte[] packet, List<Frame> order) {
    int length = PacketMap.firstFrameAt();
    int count = 0;
    while (count < order.size() && length + order.get(count).length() <= maxPacketBytes) {
      length += order.get(count++).length();
    }
    byte[] made = Arrays.copyOf(packet, length);
    int at = PacketMap.firstFrameAt();
    for (Frame frame : order.subList(0, count)) {
      System.arraycopy(packet, frame.at(), made, at, frame.length());
      at += frame.length();
    }
    PacketMap.length(new UnsafeBuffer(made), length);
    return made;
  }

  /** The packet with invented frames before or behind its own, now and then a crowd of them. */
  private byte[] spliced(byte[] packet) {
    Kind kind = any(PacketMap.FRAMES);
    int count = random.nextInt(10) == 0 ? CROWD : 1 + random.nextInt(2);
    int at = random.nextBoolean() ? PacketMap.firstFrameAt() : packet.length;
    byte[] made = packet;
    for (int i = 0; i < count; i++) {
      byte[] frame = invented(kind);
      if (made.length + frame.length > maxPacketBytes) {
        break;
      }
      byte[] longer = Arrays.copyOf(made, made.length + frame.length);
      System.arraycopy(frame, 0, longer, at, frame.length);
      System.arraycopy(made, at, longer, at + frame.length, made.length - at);
      made = longer;
    }
    PacketMap.length(new UnsafeBuffer(made), made.length);
    return made;
  }

  private byte[] invented(Kind kind) {
    int more = kind.hasPayload() ? random.nextInt(MAX_PAYLOAD) : 0;
    int[] texts = new int[kind.texts()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = random.nextInt(MAX_PAYLOAD);
      more += PacketMap.TEXT_LENGTH_BYTES + texts[i];
    }
    int unpadded = kind.fixedBytes() + more;
    byte[] bytes = new byte[PacketLayout.aligned(unpadded)];
    random.nextBytes(bytes);
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    kind.fields().forEach(field -> field.set(buffer, 0, plausible(field)));
    PacketMap.begin(buffer, 0, kind, unpadded);
    PacketMap.texts(buffer, kind, texts);
    return bytes;
  }

  private long plausible(Field field) {
    if (field.name().equals("total") && random.nextBoolean()) {
      return HUGE[random.nextInt(HUGE.length)];
    }
    int choice = random.nextInt(10);
    long known = recent.any(random, field.name());
    if (choice < 6) {
      return known;
    }
    return choice < 8 ? EdgeValues.small(random) : EdgeValues.near(random, known, field.bytes());
  }

  /** A packet that ends early; it may say so itself. */
  private byte[] truncated(byte[] packet, List<Frame> frames) {
    boolean atFrame = !frames.isEmpty() && random.nextBoolean();
    int length = atFrame ? any(frames).at() : random.nextInt(packet.length + 1);
    byte[] copy = Arrays.copyOf(packet, length);
    if (PacketMap.hasHeader(length) && random.nextBoolean()) {
      PacketMap.length(new UnsafeBuffer(copy), length);
    }
    return copy;
  }

  private byte[] wrongLength(byte[] packet) {
    int length = Math.min(maxPacketBytes, packet.length + EdgeValues.small(random));
    if (random.nextBoolean()) {
      return Arrays.copyOf(packet, length);
    }
    byte[] copy = packet.clone();
    PacketMap.length(
        new UnsafeBuffer(copy), (int) EdgeValues.near(random, packet.length, Integer.BYTES));
    return copy;
  }

  private List<byte[]> late(byte[] packet) {
    List<byte[]> sent = late == null ? List.of() : List.of(late);
    late = packet;
    return sent;
  }

  /** Bytes of any length that follow nothing. */
  byte[] garbage() {
    byte[] bytes = new byte[Math.min(maxPacketBytes, EdgeValues.small(random))];
    random.nextBytes(bytes);
    return bytes;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
