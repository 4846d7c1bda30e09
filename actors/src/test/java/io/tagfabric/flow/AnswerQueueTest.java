package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** In which order answers leave, how far, and that each ends once. */
class AnswerQueueTest {
  private static final int TURN = 128 * 1024;
  private static final int WIDE = 4_000;
  private static final int NARROW = 16;

  private final List<String> ends = new ArrayList<>();

  /** What was written: whose, and how many bytes. */
  private final List<String> names = new ArrayList<>();

  private final List<Integer> parts = new ArrayList<>();

  private static Flow flow(int windowPackets) {
    FlowSettings settings =
        RecordCopy.with(
            SmallFlows.COPYING,
            "windowPackets",
            windowPackets,
            "windowBytes",
            1L << 24,
            "acknowledgeEvery",
            8);
    return new FlowPair(settings, false).a.flow;
  }

  private final class Word extends Answer {
    private final String name;
    private boolean written;

    Word(String name) {
      this.name = name;
    }

    @Override
    public int overheadBytes() {
      return AccessWriter.END_LENGTH;
    }

    @Override
    public int leftBytes() {
      return 0;
    }

    @Override
    public boolean isOver() {
      return written;
    }

    @Override
    public void write(AccessWriter writer, Packet packet, int bytes) {
      assertThat(bytes).isZero();
      written = true;
      names.add(name);
      parts.add(0);
      writer.end(packet, 1, 0, -1, 0, 0, 0);
    }

    @Override
    public void onEnd() {
      ends.add(name);
    }
  }

  private class Bytes extends Answer {
    private final String name;
    private final UnsafeBuffer source;
    private int position;

    Bytes(String name, int length) {
      this.name = name;
      source = new UnsafeBuffer(new byte[length]);
    }

    @Override
    public int overheadBytes() {
      return AccessWriter.READ_DATA_OVERHEAD;
    }

    @Override
    public int leftBytes() {
      return source.capacity() - position;
    }

    @Override
    public boolean isOver() {
      return leftBytes() == 0;
    }

    @Override
    public void write(AccessWriter writer, Packet packet, int bytes) {
      assertThat(bytes).isBetween(1, leftBytes());
      names.add(name);
      parts.add(bytes);
      writer.readData(packet, 1, position, source, position, bytes);
      position += bytes;
    }

    @Override
    public void onEnd() {
      ends.add(name);
    }
  }

  private int written(String name) {
    int sum = 0;
    for (int i = 0; i < names.size(); i++) {
      sum += names.get(i).equals(name) ? parts.get(i) : 0;
    }
    return sum;
  }

  @Test
  void shouldSendWordsFirstAndBytesByTurns() {
    Flow flow = flow(WIDE);
    flow.submit(new Bytes("long", 3 * TURN));
    flow.submit(new Bytes("short", 5_000));
    flow.submit(new Word("word"));

    flow.flush();

    assertThat(names.get(0)).isEqualTo("word");
    int other = names.indexOf("short");
    int turn = 0;
    for (int i = 1; i < other; i++) {
      assertThat(names.get(i)).isEqualTo("long");
      turn += parts.get(i);
    }
    assertThat(turn).isGreaterThanOrEqualTo(TURN).isLessThan(TURN + parts.get(1));
    assertThat(written("long")).isEqualTo(3 * TURN);
    assertThat(written("short")).isEqualTo(5_000);
    assertThat(ends).containsExactly("word", "short", "long");
  }

  @Test
  void shouldSendTheWordThatAnAnswerLeavesWhenItEnds() {
    Flow flow = flow(WIDE);
    flow.submit(
        new Bytes("bytes", 600) {
          @Override
          public void onEnd() {
            super.onEnd();
            flow.submit(new Word("its word"));
          }
        });

    flow.flush();

    assertThat(names.get(names.size() - 1)).isEqualTo("its word");
    assertThat(ends).containsExactly("bytes", "its word");
  }

  @Test
  void shouldStopAtTheWindowAndEndAllOnceWithTheFlow() {
    Flow flow = flow(NARROW);
    flow.submit(
        new Bytes("long", 3 * TURN) {
          @Override
          public void onEnd() {
            super.onEnd();
            flow.submit(new Word("its word"));
          }
        });
    flow.submit(new Bytes("next", TURN));
    flow.flush();

    assertThat(written("long")).isPositive().isLessThan(TURN);
    assertThat(written("next")).as("it is not its turn").isZero();
    assertThat(ends).isEmpty();
    flow.submit(new Word("word"));
    flow.flush();
    assertThat(names).doesNotContain("word");

    flow.end().lose(FabricError.CANCELED, "the end");

    assertThat(ends).containsExactlyInAnyOrder("long", "its word", "next", "word");
    flow.submit(new Word("late"));
    assertThat(ends).hasSize(5).endsWith("late");
  }
}
