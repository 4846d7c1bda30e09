package io.tagfabric.bench.ours;

import io.tagfabric.fabric.Domain;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Where an end keeps its messages. */
interface Buffers {
  /** Arrays on the heap, new ones for each run. */
  Buffers HEAP =
      new Buffers() {
        @Override
        public MutableDirectBuffer outgoing(int bytes) {
          return new UnsafeBuffer(new byte[bytes]);
        }

        @Override
        public MutableDirectBuffer incoming(int bytes) {
          return new UnsafeBuffer(new byte[bytes]);
        }
      };

  /** Memory outside the heap, new for each run. */
  Buffers DIRECT =
      new Buffers() {
        @Override
        public MutableDirectBuffer outgoing(int bytes) {
          return new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
        }

        @Override
        public MutableDirectBuffer incoming(int bytes) {
          return new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
        }
      };

  /** Memory of a domain that peers of this host read and write themselves. */
  static Buffers fabric(Domain domain) {
    return new FabricBuffers(domain);
  }

  /** A buffer to send from, of exactly this length. */
  MutableDirectBuffer outgoing(int bytes);

  /** A buffer to receive into, of exactly this length. */
  MutableDirectBuffer incoming(int bytes);
}
