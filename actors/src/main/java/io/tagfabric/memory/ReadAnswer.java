package io.tagfabric.memory;

import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;

/** The many bytes of a region that a peer reads, taken when they leave. Used again and again. */
final class ReadAnswer extends Answer {
  private final ServedReads reads;
  FrameOrigin origin;
  Region region;
  long operation;
  long offset;
  int length;
  private int position;

  ReadAnswer(ServedReads reads) {
    this.reads = reads;
  }

  void show(FrameOrigin asker, Region from, long number, long at, int bytes) {
    origin = asker;
    region = from;
    operation = number;
    offset = at;
    length = bytes;
    position = 0;
  }

  void forget() {
    origin = null;
    region = null;
  }

  @Override
  public int overheadBytes() {
    return AccessWriter.READ_DATA_OVERHEAD;
  }

  @Override
  public int leftBytes() {
    return length - position;
  }

  @Override
  public boolean isOver() {
    return position == length || region.isCut() || !region.hasItsFile();
  }

  /** Whether all bytes have left. */
  boolean isWhole() {
    return position == length;
  }

  @Override
  public void write(AccessWriter writer, Packet packet, int bytes) {
    writer.readData(packet, operation, position, region.buffer(), (int) offset + position, bytes);
    position += bytes;
    region.readBytes += bytes;
  }

  @Override
  public void onEnd() {
    reads.ended(this);
  }
}
