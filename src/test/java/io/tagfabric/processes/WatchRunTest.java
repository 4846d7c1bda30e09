package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live page of a running job: {@code tagfabric run --watch}, {@code tagfabric watch}. */
@Tag("jvms")
@Timeout(110)
class WatchRunTest {
  @TempDir Path directory;
  @TempDir Path files;
  private final HttpClient client = HttpClient.newHttpClient();

  private Command run(String... options) {
    String[] arguments = new String[options.length + 5];
    arguments[0] = "run";
    arguments[1] = "-n";
    arguments[2] = "2";
    System.arraycopy(options, 0, arguments, 3, options.length);
    arguments[options.length + 3] = Talker.class.getName();
    arguments[options.length + 4] = files.resolve("end").toString();
    return Command.tagfabric(directory, arguments);
  }

  private void endJob() throws IOException {
    Files.createFile(files.resolve("end"));
  }

  private static URI page(Command command) {
    command.awaitError("watch the job at http://127.0.0.1:");
    return command.lines().stream()
        .filter(line -> line.contains("watch the job at "))
        .map(line -> URI.create(line.substring(line.indexOf("http://")).strip()))
        .findFirst()
        .orElseThrow();
  }

  private BufferedReader events(URI page) throws Exception {
    HttpResponse<InputStream> response =
        client.send(
            HttpRequest.newBuilder(page.resolve("events")).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  private static Config frame(BufferedReader events, Predicate<Config> wanted) throws IOException {
    Config last = null;
    for (String line = events.readLine(); line != null; line = events.readLine()) {
      if (line.startsWith("data: ")) {
        last = ConfigFactory.parseString(line.substring(6));
        if (wanted.test(last)) {
          return last;
        }
      }
    }
    throw new AssertionError("the page has ended; the last frame was " + last);
  }

  private static boolean all(Config frame, Predicate<Config> lane) {
    return frame.hasPath("lanes")
        && frame.getConfigList("lanes").size() == 2
        && frame.getConfigList("lanes").stream().allMatch(lane);
  }

  private static int messages(Config frame) {
    return frame.hasPath("messages") ? frame.getConfigList("messages").size() : 0;
  }

  private void tell(URI page, String what) throws Exception {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(page.resolve("command?do=" + what))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(ConfigFactory.parseString(answer.body()).getInt("told")).isEqualTo(2);
  }

  @Test
  void shouldShowARunningJobAndSteerIt() throws Exception {
    try (Command command = run("--watch")) {
      URI page = page(command);
      command.awaitLine("[0] talking");
      BufferedReader events = events(page);
      frame(
          events,
          frame ->
              messages(frame) > 0
                  && frame.getConfigList("messages").stream()
                      .anyMatch(message -> message.getString("what").equals("matched")));
      frame(events, frame -> all(frame, lane -> lane.getString("mode").equals("auto")));
      frame(events, frame -> all(frame, lane -> !lane.getConfigList("drivers").isEmpty()));
      frame(events, frame -> all(frame, lane -> !lane.getConfigList("credits").isEmpty()));

      tell(page, "manual");
      frame(events, frame -> all(frame, lane -> lane.getString("mode").equals("manual")));
      frame(events, frame -> messages(frame) > 0); // main waits, and so drives
      tell(page, "auto");
      frame(events, frame -> all(frame, lane -> lane.getString("mode").equals("auto")));

      tell(page, "freeze");
      frame(events, frame -> all(frame, lane -> lane.getBoolean("frozen")));
      frame(
          events, frame -> frame.hasPath("lanes") && messages(frame) == 0); // what was read before
      boolean moved = false;
      while (!moved) {
        tell(page, "step");
        moved = messages(frame(events, frame -> frame.hasPath("lanes"))) > 0;
      }
      tell(page, "go");
      frame(events, frame -> all(frame, lane -> !lane.getBoolean("frozen")));
      frame(events, frame -> messages(frame) > 2);

      endJob();
      frame(events, frame -> frame.hasPath("ended"));
      Command.Result result = command.end();
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out()).doesNotContain("time us");
    }
  }

  @Test
  void shouldEndAFrozenJobWhenItIsInterrupted() throws Exception {
    try (Command command = run("--watch")) {
      URI page = page(command);
      command.awaitLine("[0] talking");
      BufferedReader events = events(page);
      frame(events, frame -> messages(frame) > 0);
      tell(page, "freeze");
      frame(events, frame -> all(frame, lane -> lane.getBoolean("frozen")));

      command.signal("INT");

      assertThat(command.end().code()).isEqualTo(130);
    }
  }

  @Test
  void shouldServeThePageOfAJobThatIsTraced() throws Exception {
    Path parts = Files.createDirectory(files.resolve("parts"));
    try (Command command = run("-x", "TAGFABRIC_TRACE_DIRECTORY=" + parts);
        Command watch = Command.tagfabric(directory, "watch", parts.toString())) {
      command.awaitLine("[0] talking");
      Command.until(
          60, "prints the page", () -> !watch.lines().isEmpty(), () -> "has printed nothing");
      BufferedReader events = events(URI.create(watch.lines().get(0)));
      frame(events, frame -> messages(frame) > 0);
      frame(events, frame -> all(frame, lane -> !lane.getBoolean("obeys")));

      endJob();
      assertThat(command.end().code()).isZero();
      assertThat(watch.end().code()).as("ends with the job").isZero();
    }
  }

  @Test
  void shouldSayThatThereIsNothingToWatch() {
    try (Command watch = Command.tagfabric(directory, "watch", files.resolve("no").toString())) {
      Command.Result result = watch.end();
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("is not a directory");
      result.requireNoTrace();
    }
  }
}
