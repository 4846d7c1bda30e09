package io.tagfabric.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class CountingEndTest {
  private int arrived;

  private final CountingEnd end =
      new CountingEnd() {
        @Override
        int arrived() {
          return arrived;
        }

        @Override
        void awaitArrival(int messages) {
          assertThat(arrived).isGreaterThanOrEqualTo(messages);
        }

        @Override
        public void poll() {
          // nothing to poll
        }

        @Override
        public void send() {
          // nobody to send to
        }
      };

  @Test
  void shouldCountAMessageForTheNextRunWhenItComesBeforeThatBegins() {
    end.begin(8, 8);
    arrived = 3;
    end.await(2);

    end.begin(8, 8);

    assertThat(end.received()).isEqualTo(1);
  }

  @Test
  void shouldKeepTheBytesOfTheLastMessage() {
    end.keep(new UnsafeBuffer(new byte[] {9, 1, 2, 3}), 1, 3);
    end.keep(new UnsafeBuffer(new byte[] {4, 5}), 0, 2);

    assertThat(end.incoming().capacity()).isEqualTo(2);
    assertThat(end.incoming().getByte(1)).isEqualTo((byte) 5);
  }
}
