package io.tagfabric.cluster.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AeronTuningTest {
  @TempDir Path limits;

  @Test
  void shouldStayBelowTheLimitsOfTheSystem() throws Exception {
    Files.writeString(limits.resolve("rmem_max"), "212992\n");
    Files.writeString(limits.resolve("wmem_max"), "50001\n");

    assertThat(AeronTuning.properties(limits))
        .containsEntry("aeron.socket.so_rcvbuf", "212992")
        .containsEntry("aeron.socket.so_sndbuf", "50001")
        .containsEntry("aeron.mtu.length", "49984")
        .containsEntry("aeron.rcv.initial.window.length", "212992");
  }

  @Test
  void shouldTakeNoMoreThanItNeedsWhenLimitsAreHigh() throws Exception {
    Files.writeString(limits.resolve("rmem_max"), "99999999999");
    Files.writeString(limits.resolve("wmem_max"), "99999999");

    assertThat(AeronTuning.properties(limits))
        .containsEntry("aeron.socket.so_rcvbuf", "2097152")
        .containsEntry("aeron.socket.so_sndbuf", "2097152")
        .containsEntry("aeron.mtu.length", "61440")
        .containsEntry("aeron.rcv.initial.window.length", "1048576");
  }

  @Test
  void shouldSendSmallDatagramsWhenLimitsAreNotKnown() {
    assertThat(AeronTuning.properties(limits)).containsEntry("aeron.mtu.length", "8192");
  }

  @Test
  void shouldReadTheRealLimitsAsAeronNeedsThem() {
    Map<String, String> properties = AeronTuning.properties();

    assertThat(Integer.parseInt(properties.get("aeron.mtu.length")))
        .isBetween(1408, Integer.parseInt(properties.get("aeron.socket.so_sndbuf")));
  }

  @Test
  void shouldLeaveWhatTheUserHasSet() {
    System.setProperty("aeron.mtu.length", "1408");
    try {
      AeronTuning.apply();

      assertThat(System.getProperty("aeron.mtu.length")).isEqualTo("1408");
      assertThat(System.getProperty("aeron.term.buffer.sparse.file")).isEqualTo("true");
    } finally {
      AeronTuning.properties().keySet().forEach(System::clearProperty);
    }
  }
}
