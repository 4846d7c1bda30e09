package io.tagfabric.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.job.Profile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class AgentFrameTest {
  private static final String ODD = "é ☃ \n \0 'q' \"d\" `b` $x";

  private static final AgentHello HELLO =
      new AgentHello(
          new UUID(1, 2),
          Profile.TLS,
          "::1",
          3,
          "/d",
          true,
          4,
          5,
          Map.of("A", ODD),
          "AAA=",
          new ProgramFiles(
              List.of(Path.of("/a.jar"), Path.of("/b c/ü")),
              List.of(Path.of("/lib/d.jar")),
              Optional.of(Path.of("/w"))));
  private static final AgentStart START =
      new AgentStart(7, List.of("java", ODD, ""), Map.of(ODD, ODD), Optional.empty(), true);
  private static final AgentReady READY =
      new AgentReady(1L << 40, List.of(1, 65535), "/h", "/h/j", "");

  @Test
  void shouldGiveBackWhatWasWritten() throws IOException {
    DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(written(HELLO, START, READY)));

    assertThat(AgentFrame.read(in).body(AgentHello.class)).isEqualTo(HELLO);
    assertThat(AgentFrame.read(in).body(AgentStart.class)).isEqualTo(START);
    assertThat(AgentFrame.read(in).body(AgentReady.class)).isEqualTo(READY);
    AgentFrame text = AgentFrame.read(in);
    assertThat(text.kind()).isEqualTo(AgentFrame.Kind.FAILED);
    assertThat(text.rank()).isEqualTo(9);
    assertThat(text.text()).isEqualTo(ODD);
    assertThatThrownBy(() -> AgentFrame.read(in)).isInstanceOf(EOFException.class);
  }

  @Test
  void shouldRefuseWhatIsNoFrame() {
    assertThatThrownBy(() -> read("Welcome to this host!\n".getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(frame("NO_SUCH", 0)))
        .hasMessage("a frame of unknown kind NO_SUCH");
    assertThatThrownBy(() -> read(frame("PING", -1))).hasMessage("a frame of length=-1");
    assertThatThrownBy(() -> read(frame("PING", 1))).isInstanceOf(EOFException.class);
  }

  @Test
  void shouldRefuseABodyOfAnotherKind() {
    AgentFrame hello = AgentFrame.of(HELLO);

    assertThatThrownBy(() -> hello.body(AgentStart.class))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is garbled");
    assertThatThrownBy(() -> AgentFrame.of(AgentFrame.Kind.ENDED, 1, "x").number())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds no number");
  }

  @Property(tries = 200)
  void shouldGiveBackAnyOrder(
      @ForAll int rank,
      @ForAll List<@StringLength(max = 50) @AlphaChars String> words,
      @ForAll Map<@AlphaChars String, @NumericChars String> variables,
      @ForAll boolean input)
      throws IOException {
    AgentStart start = new AgentStart(rank, words, variables, Optional.of(Path.of("/w")), input);

    assertThat(AgentFrame.of(start).body(AgentStart.class)).isEqualTo(start);
  }

  @Property(tries = 200)
  void shouldRefuseInOneWay(@ForAll List<Integer> places, @ForAll byte value, @ForAll int cut)
      throws IOException {
    byte[] bytes = written(HELLO, START, READY);
    places.forEach(place -> bytes[Math.floorMod(place, bytes.length)] ^= value);
    DataInputStream in =
        new DataInputStream(
            new ByteArrayInputStream(bytes, 0, bytes.length - Math.floorMod(cut, 9)));
    try {
      AgentFrame.read(in).body(AgentHello.class);
      AgentFrame.read(in).body(AgentStart.class);
      AgentFrame.read(in).body(AgentReady.class);
    } catch (IOException refused) {
      assertThat(refused).isInstanceOf(IOException.class);
    }
  }

  private static byte[] written(AgentHello hello, AgentStart start, AgentReady ready)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    AgentFrame.of(hello).write(out);
    AgentFrame.of(start).write(out);
    AgentFrame.of(ready).write(out);
    AgentFrame.of(AgentFrame.Kind.FAILED, 9, ODD).write(out);
    return bytes.toByteArray();
  }

  private static byte[] frame(String kind, int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(kind);
    out.writeInt(0);
    out.writeInt(length);
    return bytes.toByteArray();
  }

  private static AgentFrame read(byte[] bytes) throws IOException {
    return AgentFrame.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }
}
