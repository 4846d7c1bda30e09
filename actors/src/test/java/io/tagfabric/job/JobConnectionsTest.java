package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.FlowState;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which flows there are when a job has started, and what its ranks write down at the end. */
class JobConnectionsTest {
  private static final int SIZE = 4;

  @TempDir Path directory;

  private TestJob start(Map<String, String> connect) throws IOException {
    TestJob job = new TestJob(SIZE);
    begin(job, connect).forEach(Await::get);
    return job;
  }

  private static List<CompletableFuture<Job>> begin(TestJob job, Map<String, String> connect) {
    List<CompletableFuture<Job>> starting = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      starting.add(
          job.open(
              job.spec(rank),
              options ->
                  options.withApplication(
                      ConfigFactory.parseMap(connect).atPath("tagfabric.connect"))));
    }
    return starting;
  }

  private String write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  private static List<Integer> openFlows(Job job) {
    return Await.get(job.endpoint().futures().flows()).flows().stream()
        .filter(flow -> flow.state() == FlowState.OPEN)
        .map(Endpoint.FlowInfo::peer)
        .map(job::rankOf)
        .sorted()
        .toList();
  }

  private static void exchange(Job from, Job to) {
    from.endpoint().futures().sendTagged(from.peer(to.rank()), new byte[1], 5);
    Await.get(to.endpoint().futures().receiveTagged(TagSelector.exact(5)));
  }

  @Test
  void shouldConnectOnFirstUseUnlessToldOtherwise() throws IOException {
    try (TestJob job = start(Map.of())) {
      assertThat(openFlows(job.rank(0))).isEmpty();

      exchange(job.rank(0), job.rank(2));

      assertThat(openFlows(job.rank(0))).containsExactly(2);
      assertThat(openFlows(job.rank(2))).containsExactly(0);
    }
  }

  @Test
  void shouldConnectThoseOfTheFileAndNoOthers() throws IOException {
    String file = write("in", "size:4\nbase:2\n0: 1\n11: 0\n");
    try (TestJob job = start(Map.of("file-in", file, "dynamic", "off"))) {
      assertThat(openFlows(job.rank(0))).containsExactly(0, 1, 3);
      assertThat(openFlows(job.rank(1))).containsExactly(0, 1);
      assertThat(openFlows(job.rank(2))).containsExactly(2);

      exchange(job.rank(3), job.rank(0));
      exchange(job.rank(2), job.rank(2));
      Job rank = job.rank(2);
      assertThat(Await.failure(rank.endpoint().futures().sendTagged(rank.peer(3), new byte[1], 5)))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.BAD_STATE))
          .hasMessageContaining("peer [rank-3@")
          .hasMessageEndingWith(
              "is not connected: " + file + " does not list it and tagfabric.connect.dynamic=off");
    }
  }

  @Test
  void shouldReadAFileOfItsOwnAndOneSideOfAConnection() throws IOException {
    write("in.0", "0:\n");
    write("in.1", "1: 0\n");
    write("in.2", "2: 3\n");
    write("in.3", "");
    String files = directory.resolve("in.%").toString();
    try (TestJob job = start(Map.of("file-in", files, "dynamic", "off"))) {
      exchange(job.rank(0), job.rank(1));
      exchange(job.rank(3), job.rank(2));
    }
  }

  @Test
  void shouldConnectAll() throws IOException {
    try (TestJob job = start(Map.of("static", "all"))) {
      assertThat(openFlows(job.rank(2))).containsExactly(0, 1, 2, 3);
    }
  }

  @Test
  void shouldWriteWhomARankHasTalkedTo() throws IOException {
    Path out = directory.resolve("out/all");
    try (TestJob job = start(Map.of("file-out", out.toString(), "static", "all"))) {
      exchange(job.rank(0), job.rank(2));
      exchange(job.rank(3), job.rank(2));
    }
    assertThat(Files.readAllLines(out))
        .containsExactlyInAnyOrder("size:4", "base:36", "0: 2", "3: 2");

    String next = directory.resolve("own-%").toString();
    try (TestJob job =
        start(Map.of("file-in", out.toString(), "file-out", next, "file-base", "2"))) {
      assertThat(openFlows(job.rank(2))).containsExactly(0, 2, 3);
      exchange(job.rank(3), job.rank(2));
    }
    assertThat(Files.readString(directory.resolve("own-3"))).isEqualTo("size:4\nbase:2\n11: 10\n");
    assertThat(Files.readString(directory.resolve("own-0"))).isEqualTo("size:4\nbase:2\n");
  }

  @Test
  void shouldRefuseAFileThatIsWrong() throws IOException {
    String wrong = write("in", "0: 1\n0: 7\n");
    try (TestJob job = new TestJob(SIZE)) {
      List<CompletableFuture<Job>> starting = begin(job, Map.of("file-in", wrong));
      assertThat(starting)
          .allSatisfy(
              rank ->
                  assertThat(Await.failure(rank))
                      .isInstanceOf(SettingsException.class)
                      .hasMessage(
                          wrong + ":2: rank=7 is not within size=4 (tagfabric.connect.file-in)"));
    }
    try (TestJob job = new TestJob(SIZE)) {
      String missing = directory.resolve("none").toString();
      assertThat(Await.failure(begin(job, Map.of("file-in", missing)).get(1)))
          .hasMessage("tagfabric.connect.file-in=" + missing + " cannot be read: NoSuchFile");
    }
  }
}
