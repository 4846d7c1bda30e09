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
import org.junit.jupiter.api.Test;

class AgentFrameTest {
  private static final String ODD = "é ☃ \n \0 'q' \"d\" `b` $x";

  @Test
  void shouldGiveBackWhatWasWritten() throws IOException {
    AgentHello hello =
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
    AgentStart start =
        new AgentStart(7, List.of("java", ODD, ""), Map.of(ODD, ODD), Optional.empty(), true);
    AgentReady ready = new AgentReady(1L << 40, List.of(1, 65535), "/h", "/h/j", "");

    DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(written(hello, start, ready)));

    assertThat(AgentHello.of(AgentFrame.read(in))).isEqualTo(hello);
    assertThat(AgentStart.of(AgentFrame.read(in))).isEqualTo(start);
    assertThat(AgentReady.of(AgentFrame.read(in))).isEqualTo(ready);
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

  private static byte[] written(AgentHello hello, AgentStart start, AgentReady ready)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    hello.toFrame().write(out);
    start.toFrame().write(out);
    ready.toFrame().write(out);
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
