package io.tagfabric.trials.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class MessageStreamTest {
  private static final int COUNT = 20_000;

  private final MessageStream stream = new MessageStream(7, COUNT, false);

  @Test
  void shouldRecognizeAMessageByItsBytesAndNoOther() {
    for (long number = 0; number < 2_000; number++) {
      int length = stream.length(number);
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
      stream.fill(number, buffer, length);

      assertThat(stream.matches(number, buffer, length)).isTrue();
      assertThat(stream.recognize(buffer, length)).isEqualTo(length < 8 ? -1 : number);
      if (length > 0) {
        int at = (int) (number % length);
        buffer.putByte(at, (byte) (buffer.getByte(at) + 1));
        assertThat(stream.matches(number, buffer, length)).isFalse();
        assertThat(stream.recognize(buffer, length)).isEqualTo(-1);
      }
    }
  }

  @Test
  void shouldHaveAllLengthsAndTagsAndTheSameOnesAgain() {
    MessageStream again = new MessageStream(7, COUNT, false);
    int longest = 0;
    int shorter = 0;
    long tags = 0;
    for (long number = 0; number < COUNT; number++) {
      int length = stream.length(number);
      assertThat(again.length(number)).isEqualTo(length);
      assertThat(again.tag(number)).isEqualTo(stream.tag(number));
      longest = Math.max(longest, length);
      shorter += length <= 64 ? 1 : 0;
      tags |= 1L << stream.tag(number);
    }
    assertThat(longest).isGreaterThan(64 * 1024);
    assertThat(shorter).isBetween(COUNT * 80 / 100, COUNT * 90 / 100);
    assertThat(tags).isEqualTo((1L << MessageStream.TAGS) - 1);
    MessageStream onlyShort = new MessageStream(7, COUNT, true);
    for (long number = 0; number < COUNT; number++) {
      assertThat(onlyShort.length(number)).isLessThanOrEqualTo(64);
    }
  }

  /** The truth: walk all messages in order for each receive. */
  @Test
  void shouldForecastWhatTheEarliestFitGives() {
    int count = 400;
    MessageStream few = new MessageStream(3, count, false);
    Forecast forecast = new Forecast(few);
    List<Long> untaken = new ArrayList<>();
    for (long number = 0; number < count; number++) {
      untaken.add(number);
    }
    SplittableRandom random = new SplittableRandom(5);
    boolean[] kinds = new boolean[3];
    while (!forecast.isDone()) {
      forecast.next(random.nextLong());
      long first =
          untaken.stream()
              .filter(each -> ((few.tag(each) ^ forecast.tag()) & ~forecast.ignore()) == 0)
              .findFirst()
              .orElseThrow();
      assertThat(forecast.number()).isEqualTo(first);
      untaken.remove(first);
      kinds[forecast.ignore() == 0 ? 0 : forecast.ignore() == -1 ? 2 : 1] = true;
    }
    assertThat(untaken).isEmpty();
    assertThat(kinds).containsOnly(true);
  }
}
