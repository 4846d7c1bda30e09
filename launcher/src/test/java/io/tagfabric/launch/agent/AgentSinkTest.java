package io.tagfabric.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.launch.Await;
import io.tagfabric.launch.Gate;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class AgentSinkTest {
  private static final int CHUNK_BYTES = 8192;

  private final Gate connection = new Gate();
  private final AgentOutput launcher = new AgentOutput(connection, "test-connection");
  private final AgentSink sink = new AgentSink(launcher, AgentFrame.Kind.OUT, 3);

  AgentSinkTest() {
    connection.open();
  }

  @Test
  void shouldSendNoMoreThanTheLauncherHasShown() throws Exception {
    int chunks = AgentSink.ROOM_BYTES / CHUNK_BYTES;
    Thread printer = new Thread(() -> print(chunks + 1));
    printer.setDaemon(true);
    printer.start();
    Await.until("the rank waits", () -> printer.getState() == Thread.State.WAITING);
    launcher.send(AgentFrame.of(AgentFrame.Kind.PING, 0));
    Await.until("frames go on", () -> frames(AgentFrame.Kind.PING) == 1);
    assertThat(frames(AgentFrame.Kind.OUT)).isEqualTo(chunks);

    sink.taken(CHUNK_BYTES);

    printer.join();
    Await.until("the rest comes", () -> frames(AgentFrame.Kind.OUT) == chunks + 1);
  }

  private void print(int chunks) {
    for (int i = 0; i < chunks; i++) {
      sink.accept(new byte[CHUNK_BYTES], CHUNK_BYTES);
    }
  }

  private long frames(AgentFrame.Kind kind) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(connection.bytes()));
    long count = 0;
    try {
      while (true) {
        AgentFrame frame = AgentFrame.read(in);
        assertThat(frame.rank()).isEqualTo(frame.kind() == AgentFrame.Kind.OUT ? 3 : 0);
        count += frame.kind() == kind ? 1 : 0;
      }
    } catch (IOException noMore) {
      return count;
    }
  }
}
