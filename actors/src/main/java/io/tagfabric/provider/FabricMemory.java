package io.tagfabric.provider;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.agrona.MutableDirectBuffer;

/**
 * Memory that peers of this host read and write themselves: a long message from it, or into it, is
 * copied once instead of twice. Otherwise it is memory like any other, and every part of it may be
 * sent from and received into at the same time as others.
 *
 * @source fi_mr(3), registered memory; the analogue of remote direct access on one host
 */
public interface FabricMemory extends AutoCloseable {
  /** All of it, zeros at first. Keep the memory open while operations use it. */
  MutableDirectBuffer buffer();

  /** The same bytes, from position 0 to their number. */
  default ByteBuffer byteBuffer() {
    return buffer().byteBuffer().duplicate();
  }

  /** Name of the provider whose peers reach it; empty if none does and messages are copied. */
  Optional<String> sharedBy();

  /** Gives it back when nobody here refers to its buffers any more. Idempotent. Thread: any. */
  @Override
  void close();
}
