package io.tagfabric.tag;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Bytes of a received message, as a value: equal if the bytes are. Immutable by convention. */
public final class Payload {
  private static final int SHOWN_BYTES = 16;

  /** No bytes. */
  public static final Payload EMPTY = new Payload(new byte[0]);

  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A payload over {@code bytes} itself, which nobody may change from now on. */
  public static Payload wrap(byte[] bytes) {
    return bytes.length == 0 ? EMPTY : new Payload(bytes);
  }

  /** Number of bytes. */
  public int length() {
    return bytes.length;
  }

  /** The bytes themselves, not a copy; do not change them. */
  public byte[] array() {
    return bytes;
  }

  /** A read-only view. */
  public ByteBuffer asByteBuffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && Arrays.equals(bytes, payload.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Length and the first bytes in hex. */
  @Override
  public String toString() {
    int shown = Math.min(bytes.length, SHOWN_BYTES);
    String hex = HexFormat.of().formatHex(bytes, 0, shown);
    return "Payload[" + bytes.length + " B: " + hex + (shown < bytes.length ? "…]" : "]");
  }
}
