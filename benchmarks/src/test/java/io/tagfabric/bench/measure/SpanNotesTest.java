package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

class SpanNotesTest {
  private final Histogram histogram = new Histogram(3);

  @Test
  void shouldMoveWhatWasAddedOnce() {
    SpanNotes notes = new SpanNotes(3);
    notes.add(100);
    notes.add(200);
    assertThat(notes.isFull()).isFalse();
    notes.add(300);
    assertThat(notes.isFull()).isTrue();

    notes.moveTo(histogram);

    assertThat(notes.isFull()).isFalse();
    assertThat(histogram.getTotalCount()).isEqualTo(3);
    assertThat(histogram.getMinValue()).isEqualTo(100);
    assertThat(histogram.getMaxValue()).isEqualTo(300);
    notes.add(50);
    notes.moveTo(histogram);
    notes.moveTo(histogram);
    assertThat(histogram.getTotalCount()).isEqualTo(4);
    assertThat(histogram.getMinValue()).isEqualTo(50);
  }

  /** More round trips than notes have room for. */
  @Test
  void shouldCountEachRoundTripOfALongRun() {
    int iterations = 1_100_000;
    long[] sent = {0};
    End echo =
        new End() {
          @Override
          public void begin(int sentBytes, int receivedBytes) {}

          @Override
          public int received() {
            return (int) sent[0];
          }

          @Override
          public void postReceive() {}

          @Override
          public void send() {
            sent[0]++;
          }

          @Override
          public void poll() {}

          @Override
          public void await(int messages) {
            if (sent[0] != messages) {
              throw new AssertionError("sent=" + sent[0] + " of " + messages);
            }
          }

          @Override
          public MutableDirectBuffer outgoing() {
            throw new UnsupportedOperationException("not looked at");
          }

          @Override
          public DirectBuffer incoming() {
            throw new UnsupportedOperationException("not looked at");
          }
        };

    long tookNs = Exchange.ping(echo, 8, iterations, histogram);

    assertThat(histogram.getTotalCount()).isEqualTo(iterations);
    assertThat(tookNs).isPositive();
  }
}
