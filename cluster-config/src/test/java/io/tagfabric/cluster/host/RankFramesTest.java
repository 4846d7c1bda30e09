package io.tagfabric.cluster.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankFramesTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final List<String> told = new ArrayList<>();

  private final RankFrames.ErrorListener listener =
      new RankFrames.ErrorListener() {
        @Override
        public void onText(byte[] bytes, int length) {
          told.add(new String(bytes, 0, length, UTF_8));
        }

        @Override
        public void onCode(int rank, int code, boolean isCut) {
          told.add(rank + " " + code + " " + isCut);
        }
      };

  @Test
  void shouldReadTheFramesThatWereWritten() throws IOException {
    DataOutputStream to = new DataOutputStream(written);
    byte[] text = "[text]".getBytes(UTF_8);
    RankFrames.write(to, 70_000, RankFrames.Kind.OUT, text, 1, 4);
    RankFrames.write(to, 1, RankFrames.Kind.ERR, text, 0, 1);
    RankFrames.write(to, 1, RankFrames.Kind.END, text, 0, 0);

    DataInputStream from = new DataInputStream(new ByteArrayInputStream(written.toByteArray()));
    for (String expected : List.of("70000 OUT text", "1 ERR [", "1 END ")) {
      RankFrames.Frame frame = RankFrames.read(from);
      assertThat(frame.rank() + " " + frame.kind() + " " + new String(frame.bytes(), UTF_8))
          .isEqualTo(expected);
    }
    assertThatThrownBy(() -> RankFrames.read(from)).isInstanceOf(EOFException.class);
  }

  @Test
  void shouldRefuseWhatIsNoFrame() {
    DataInputStream text =
        new DataInputStream(new ByteArrayInputStream("printed by a library".getBytes(UTF_8)));

    assertThatThrownBy(() -> RankFrames.read(text))
        .isInstanceOf(IOException.class)
        .hasMessage("kind=116 of a frame is none");
  }

  @Test
  void shouldFindCodesBetweenTexts() throws IOException {
    written.writeBytes("warning\nhalf".getBytes(UTF_8));
    RankFrames.writeCode(written, 300, 255, false);
    RankFrames.writeCode(written, 0, 10, true);
    written.writeBytes(" a line\n".getBytes(UTF_8));

    RankFrames.readErrors(new ByteArrayInputStream(written.toByteArray()), listener);

    assertThat(told)
        .containsExactly("warning\n", "half", "300 255 false", "0 10 true", " a line\n");
  }

  @Test
  void shouldGiveEachRankItsVariables() {
    Map<String, String> first = Map.of("ALL", "same", "RANK", "4", "ONLY", "4");
    Map<String, String> second = Map.of("ALL", "same", "RANK", "5");
    Map<String, String> all = SharedVariables.of(List.of(4, 5), List.of(first, second));

    assertThat(all).containsOnlyKeys("ALL", "RANK_4_RANK", "RANK_5_RANK", "RANK_4_ONLY");
    assertThat(SharedVariables.ofRank(4, all)).isEqualTo(first);
    assertThat(SharedVariables.ofRank(5, all)).isEqualTo(second);
  }

  @Test
  void shouldLetTheVariablesOfARankWin() {
    Map<String, String> jvm = Map.of("RANK", "of the shell", "RANK_4_RANK", "4", "RANK_X_Y", "z");

    assertThat(SharedVariables.ofRank(4, jvm)).isEqualTo(Map.of("RANK", "4", "RANK_X_Y", "z"));
  }
}
