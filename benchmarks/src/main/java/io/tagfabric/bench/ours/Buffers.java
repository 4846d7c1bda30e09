package io.tagfabric.bench.ours;

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

  /** A buffer to send from, of exactly this length. */
  MutableDirectBuffer outgoing(int bytes);

  /** A buffer to receive into, of exactly this length. */
  MutableDirectBuffer incoming(int bytes);
}
