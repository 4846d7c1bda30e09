package io.tagfabric.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.job.Profile;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real JVM is killed while messages are under way. */
@Tag("jvms")
class KilledRankTest {
  private static final String NOTHING_WAITS =
      "State[postedReceives=0, unexpectedMessages=0, unexpectedBytes=0, ";

  private static String run(String what) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = JobTestLauncher.run(2, Profile.TCP, List.of(what), out, err);
    assertThat(code).as("%s%s", out, err).isNotZero();
    return out.toString(UTF_8);
  }

  @Test
  void shouldEndTheReceiveWhenItsSenderIsKilledInMidWindow() {
    assertThat(run("mid-window"))
        .containsPattern("failed: peer \\[rank-1@akka://tagfabric@[^\\]]*\\] lost: ")
        .contains(NOTHING_WAITS)
        .doesNotContain("received all");
  }

  @Test
  void shouldEndTheSendsWhenTheirReceiverIsKilledWithTenThousandUnexpected() {
    assertThat(run("unexpected"))
        .containsPattern("failed true: \\[peer \\[rank-1@akka://tagfabric@[^\\]]*\\] lost: ")
        .doesNotContain("another peer")
        .contains(NOTHING_WAITS);
  }
}
