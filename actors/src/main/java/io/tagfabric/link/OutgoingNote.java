package io.tagfabric.link;

import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.OutgoingFrame;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.NoteEncoder;
import java.util.ArrayList;
import java.util.List;

/** A note on its way: parts that fit every packet, and one word if one of them never leaves. */
final class OutgoingNote {
  private static final int MOST_PART_BYTES = 512;
  private static final int OVERHEAD =
      MessageHeaderEncoder.ENCODED_LENGTH + NoteEncoder.BLOCK_LENGTH;

  private final int channel;
  private final byte[] bytes;
  private final NoteDesk.Failure onFailed;
  private boolean failed;

  OutgoingNote(int channel, byte[] bytes, NoteDesk.Failure onFailed) {
    this.channel = channel;
    this.bytes = bytes;
    this.onFailed = onFailed;
  }

  /** In order; an empty note has one part. */
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    int position = 0;
    do {
      int length = Math.min(MOST_PART_BYTES, bytes.length - position);
      parts.add(new Part(position, length));
      position += length;
    } while (position < bytes.length);
    return parts;
  }

  /** Some of its bytes. */
  final class Part extends OutgoingFrame {
    private final int position;
    private final int length;

    private Part(int position, int length) {
      super(Credit.REPLY, OVERHEAD + length);
      this.position = position;
      this.length = length;
    }

    @Override
    protected void write(Packet packet) {
      int at = packet.length();
      new NoteEncoder()
          .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
          .channel(channel)
          .position(position)
          .total(bytes.length);
      packet.buffer().putBytes(at + OVERHEAD, bytes, position, length);
      packet.append(OVERHEAD + length);
    }

    @Override
    public void onFailed(FabricError error, String detail) {
      if (!failed) {
        failed = true;
        onFailed.onFailed(error, detail);
      }
    }
  }
}
