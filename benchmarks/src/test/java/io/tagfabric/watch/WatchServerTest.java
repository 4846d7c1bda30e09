package io.tagfabric.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.timeline.PerfettoWriter;
import io.tagfabric.timeline.Timeline;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.trace.WatchDesk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a job, as an HTTP client sees it. */
class WatchServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long SENDER = 0xAA;
  private static final long RECEIVER = 0xBB;
  private static final long FLOW = 7;

  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private WatchServer server;

  @BeforeEach
  void start() throws IOException {
    server = WatchServer.start(directory, 0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Recorder rank(int rank, long incarnation) throws IOException {
    return rank(rank, incarnation, ProcessHandle.current().pid());
  }

  private Recorder rank(int rank, long incarnation, long process) throws IOException {
    return Recorder.open(
        directory.resolve("rank-" + rank),
        new Recorder.Owner(rank, process, incarnation, "d" + rank),
        8192,
        System::nanoTime,
        System::nanoTime);
  }

  private HttpResponse<String> get(URI uri) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String query) throws Exception {
    return client.send(
        HttpRequest.newBuilder(server.uri().resolve("command?" + query))
            .timeout(PATIENCE)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** An open page. */
  private BufferedReader events() throws Exception {
    HttpResponse<InputStream> response = openEvents();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  private HttpResponse<InputStream> openEvents() throws Exception {
    return client.send(
        HttpRequest.newBuilder(server.uri().resolve("events")).build(),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  /** Reads until a frame has what is looked for; the surefire limit ends a test that never does. */
  private static String frame(BufferedReader events, Predicate<String> wanted) throws IOException {
    List<String> seen = new ArrayList<>();
    String line = events.readLine();
    while (line != null) {
      if (line.startsWith("data: ")) {
        String frame = line.substring(6);
        if (wanted.test(frame)) {
          return frame;
        }
        seen.add(frame);
      }
      line = events.readLine();
    }
    throw new AssertionError("no frame is like that: " + seen);
  }

  @Test
  void shouldServeItsPageToWhoKnowsThePath() throws Exception {
    assertThat(server.uri().getHost()).isEqualTo(InetAddress.getLoopbackAddress().getHostAddress());
    HttpResponse<String> page = get(server.uri());

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("watch.js").doesNotContain("http://", "https://");
    assertThat(page.headers().firstValue("Content-Security-Policy")).contains("default-src 'self'");
    assertThat(get(server.uri().resolve("watch.js")).body()).contains("new EventSource('events')");
    assertThat(get(server.uri().resolve("watch.css")).statusCode()).isEqualTo(200);
    assertThat(get(server.uri().resolve("charts.js")).body()).contains("new uPlot(");
    assertThat(get(server.uri().resolve("uplot.js")).body()).contains("uPlot=function");
    assertThat(get(server.uri().resolve("uplot.css")).body()).contains(".uplot");
    assertThat(get(server.uri().resolve("other")).statusCode()).isEqualTo(404);
    assertThat(get(server.uri().resolve("WatchServer.class")).statusCode()).isEqualTo(404);
  }

  /** With a thread for each, or no end of them, a stranger could take the memory of a launcher. */
  @Test
  void shouldAnswerAndTakeNoThreadsWhenStrangersSendHalfRequests() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    int strangers = 8 * PageFront.MOST_WAITING;
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < strangers; i++) {
        Socket stranger = new Socket(server.uri().getHost(), server.uri().getPort());
        sockets.add(stranger);
        sendHalf(stranger);
      }

      assertThat(get(server.uri()).statusCode()).isEqualTo(200);
      Set<Thread> more = new HashSet<>(Thread.getAllStackTraces().keySet());
      more.removeAll(before);
      assertThat(more.stream().filter(thread -> thread.getName().startsWith("tagfabric-watch")))
          .hasSizeLessThan(3);
      sockets.get(0).setSoTimeout((int) PATIENCE.toMillis());
      assertThat(isClosed(sockets.get(0))).as("the oldest makes room").isTrue();
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Half a request, unless it was given up for one that came later. */
  private static void sendHalf(Socket stranger) {
    try {
      stranger.getOutputStream().write("GET /half HTTP/1.1\r\nHost: x".getBytes(UTF_8));
    } catch (IOException givenUp) {
      assertThat(isClosed(stranger)).isTrue();
    }
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void shouldForbidAWrongPath() throws Exception {
    Recorder recorder = rank(0, SENDER);
    recorder.desk().obey();
    String wrong = "/" + "0".repeat(32) + "/";
    for (String path : List.of("/", "/watch.js", "/events", wrong, wrong + "events")) {
      assertThat(get(server.uri().resolve(path)).statusCode()).as(path).isEqualTo(403);
    }
    HttpResponse<String> command =
        client.send(
            HttpRequest.newBuilder(server.uri().resolve(wrong + "command?do=freeze"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(command.statusCode()).isEqualTo(403);
    assertThat(recorder.desk().next()).isNull();
  }

  @Test
  void shouldShowMessagesAndWhoDrives() throws Exception {
    Recorder sender = rank(0, SENDER);
    Recorder receiver = rank(1, RECEIVER);
    receiver.desk().show(new WatchDesk.Gauges(3, 5, 50, 0, true));
    BufferedReader events = events();
    frame(events, frame -> frame.contains("\"rank\": 1"));

    sender.record(TraceKind.SENT, TraceKind.Way.EAGER.code(), FLOW, 1, 1, 0x2A, 64, RECEIVER, 0, 1);
    sender.record(TraceKind.CREDIT, 0, FLOW, 15, 0, 0, 4096, RECEIVER, 0, 1);
    receiver.record(
        TraceKind.ARRIVED, TraceKind.Way.EAGER.code(), FLOW, 1, 0, 0x2A, 64, SENDER, 0, 1);
    receiver.record(TraceKind.KEPT, 0, FLOW, 1, 0, 0x2A, 1, SENDER, 0, 1);
    receiver.passed(System.nanoTime() - 2_000, 1);

    String id = "\"id\": \"7.bb.1\"";
    StringBuilder told = new StringBuilder();
    frame(events, frame -> told.append(frame).indexOf("\"what\": \"kept\", " + id) > 0);
    assertThat(told)
        .contains(
            "\"what\": \"sent\", "
                + id
                + ", \"lane\": 0, \"peer\": 1, \"tag\": \"2a\", \"bytes\": 64")
        .contains("\"what\": \"arrived\", " + id + ", \"lane\": 1, \"peer\": 0")
        .contains("\"posted\": 3, \"unexpected\": 5")
        .contains("\"peer\": \"rank 1\", \"messages\": 15, \"bytes\": 4096")
        .contains("\"thread\": \"" + Thread.currentThread().getName() + "\", \"passes\": 1");
  }

  @Test
  void shouldCountTheMessagesOfEachFrame() throws Exception {
    Recorder receiver = rank(1, RECEIVER);
    BufferedReader events = events();
    frame(events, frame -> frame.contains("\"taken\": 0"));

    for (int number = 1; number <= 3; number++) {
      receiver.record(TraceKind.MATCHED, 0, FLOW, number, 0, 1, 8, SENDER, 0, 1);
    }

    long taken = 0;
    while (taken < 3) {
      taken += number(frame(events, each -> true), "taken");
    }
    assertThat(taken).isEqualTo(3);
    assertThat(frame(events, each -> true)).contains("\"taken\": 0");
  }

  private static long number(String frame, String key) {
    Matcher found = Pattern.compile("\"" + key + "\": (\\d+)").matcher(frame);
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1));
  }

  @Test
  void shouldRecallTheCreditButNotCountWhatWasTakenBefore() throws Exception {
    WatchedJob job = new WatchedJob(directory);
    Recorder sender = rank(0, SENDER);
    job.look();
    sender.record(TraceKind.CREDIT, 0, FLOW, 15, 0, 0, 4096, RECEIVER, 0, 1);
    sender.record(TraceKind.MATCHED, 0, FLOW, 1, 0, 1, 8, RECEIVER, 0, 1);
    job.skip();

    assertThat(job.read()).contains("\"messages\": 15, \"bytes\": 4096", "\"taken\": 0");
    sender.record(TraceKind.FLOW_LOST, 0, FLOW, 0, 0, 0, 0, RECEIVER, 0, 1);
    assertThat(job.read()).contains("\"credits\": []");
  }

  @Test
  void shouldKeepTheLastFramesOfASlowPage() {
    BlockingQueue<String> page = new ArrayBlockingQueue<>(2);
    for (String frame : List.of("1", "2", "3")) {
      WatchServer.show(page, frame);
    }

    assertThat(page).containsExactly("2", "3");
  }

  @Test
  void shouldKnowTheCreditOfATimeWhenNobodyLooked() throws Exception {
    Recorder sender = rank(0, SENDER);
    try (BufferedReader page = events()) {
      frame(page, frame -> frame.contains("\"rank\": 0"));
    }
    sender.record(TraceKind.CREDIT, 0, FLOW, 15, 0, 0, 4096, RECEIVER, 0, 1);
    sender.record(TraceKind.SENT, TraceKind.Way.EAGER.code(), FLOW, 1, 1, 0x2A, 64, RECEIVER, 0, 1);

    String frame = frame(events(), each -> each.contains("\"messages\": 15, \"bytes\": 4096"));
    assertThat(frame).containsPattern("\"bytes\": 4096, \"ageMs\": \\d+");
  }

  @Test
  void shouldShowSomeOfManyMessages() throws Exception {
    Recorder sender = rank(0, SENDER);
    BufferedReader events = events();
    frame(events, frame -> frame.contains("\"rank\": 0"));

    String sampled = null;
    long number = 0;
    while (sampled == null) {
      for (int i = 0; i < 5_000; i++) {
        number++;
        sender.record(
            TraceKind.SENT, TraceKind.Way.EAGER.code(), FLOW, number, 1, 1, 8, RECEIVER, 0, 1);
      }
      String frame = frame(events, each -> true);
      sampled = frame.contains("\"oneOf\": 1,") ? null : frame;
    }
    assertThat(sampled).containsPattern("\"missed\": [0-9]+");
  }

  @Test
  void shouldTellDomainsWhatAPageWants() throws Exception {
    Recorder first = rank(0, SENDER);
    Recorder second = rank(1, RECEIVER);
    Recorder deaf = rank(2, 0xCC);
    first.desk().obey();
    second.desk().obey();
    BufferedReader events = events();
    frame(events, frame -> frame.contains("\"rank\": 2"));

    assertThat(post("do=freeze&rank=1").body()).contains("\"told\": 1");
    assertThat(second.desk().next()).isEqualTo(WatchDesk.Command.FREEZE);
    assertThat(first.desk().next()).isNull();
    second.desk().obeyed(new WatchDesk.State(true, false, true));
    frame(events, frame -> frame.contains("\"frozen\": true"));

    assertThat(post("do=manual").body()).contains("\"told\": 2");
    assertThat(first.desk().next()).isEqualTo(WatchDesk.Command.MANUAL);
    assertThat(deaf.desk().next()).isNull();
    first.desk().obeyed(new WatchDesk.State(false, true, true));
    frame(events, frame -> frame.contains("\"mode\": \"manual\", \"switches\": true"));

    assertThat(post("do=explode").statusCode()).isEqualTo(400);
    assertThat(post("rank=1").statusCode()).isEqualTo(400);
    assertThat(post("do=go&rank=x").statusCode()).isEqualTo(400);
    assertThat(get(server.uri().resolve("command?do=freeze")).statusCode()).isNotEqualTo(200);
  }

  @Test
  void shouldEndPagesAndLetThoseGoOnThatItHasFrozenWhenItCloses() throws Exception {
    Recorder frozen = rank(0, SENDER);
    Recorder frozenByOthers = rank(1, RECEIVER);
    frozen.desk().obey();
    frozenByOthers.desk().obey();
    BufferedReader events = events();
    frame(events, frame -> frame.contains("\"rank\": 1"));
    post("do=freeze&rank=0");
    frozen.desk().obeyed(new WatchDesk.State(true, false, true));

    server.close();

    frame(events, frame -> frame.contains("\"ended\": true"));
    assertThat(frozen.desk().next()).isEqualTo(WatchDesk.Command.GO);
    assertThat(frozenByOthers.desk().next()).isNull();
  }

  @Test
  void shouldLeaveThoseAloneThatItHasLetGoOnWhenItCloses() throws Exception {
    Recorder thawed = rank(0, SENDER);
    thawed.desk().obey();
    frame(events(), frame -> frame.contains("\"rank\": 0"));
    for (String command : List.of("freeze", "go")) {
      post("do=" + command);
      thawed.desk().obeyed(new WatchDesk.State(false, false, true));
    }

    server.close();

    assertThat(thawed.desk().next()).as("another server may have frozen it since").isNull();
  }

  @Test
  void shouldShowThatTheProcessOfADomainHasGone() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    rank(0, SENDER, process.pid()).desk().obey();
    BufferedReader events = events();
    frame(events, frame -> frame.contains("\"closed\": false"));

    process.destroyForcibly().waitFor();

    frame(events, frame -> frame.contains("\"closed\": true"));
    assertThat(post("do=freeze").body()).contains("\"told\": 0, \"busy\": 0");
    server.awaitEnd();
  }

  @Test
  void shouldServeAsManyPagesAtATimeAsItHasRoomFor() throws Exception {
    rank(0, SENDER);
    List<BufferedReader> open = new ArrayList<>();
    for (int page = 0; page < 16; page++) {
      BufferedReader events = events();
      frame(events, each -> true);
      open.add(events);
    }
    HttpResponse<String> refused = get(server.uri().resolve("events"));
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("too many pages");

    open.remove(0).close();

    HttpResponse<InputStream> next = openEvents();
    while (next.statusCode() == 503) {
      next.body().close();
      next = openEvents();
    }
    assertThat(next.statusCode()).isEqualTo(200);
    for (BufferedReader each : open) {
      frame(each, frame -> true);
    }
  }

  @Test
  void shouldSayThatADomainDoesNotAnswer() throws Exception {
    Recorder busy = rank(0, SENDER);
    busy.desk().obey();
    frame(events(), frame -> frame.contains("\"rank\": 0"));

    assertThat(post("do=freeze").body()).contains("\"told\": 1, \"busy\": 0");
    assertThat(post("do=go").body()).contains("\"told\": 0, \"busy\": 1");
    assertThat(busy.desk().next()).isEqualTo(WatchDesk.Command.FREEZE);
  }

  @Test
  void shouldGiveTheTraceAndTheTimeLineOfWhatIsThereNow() throws Exception {
    Recorder sender = rank(0, SENDER);
    Recorder receiver = rank(1, RECEIVER);
    sender.record(TraceKind.SENT, TraceKind.Way.EAGER.code(), FLOW, 1, 1, 0x2A, 64, RECEIVER, 0, 1);
    receiver.record(
        TraceKind.ARRIVED, TraceKind.Way.EAGER.code(), FLOW, 1, 0, 0x2A, 64, SENDER, 0, 1);
    receiver.slept(System.nanoTime());

    HttpResponse<byte[]> file =
        client.send(
            HttpRequest.newBuilder(server.uri().resolve("trace.pftrace")).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(file.headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"trace.pftrace\"");
    assertThat(file.body()).isEqualTo(PerfettoWriter.write(Timeline.gatherLive(directory)));
    Config line = ConfigFactory.parseString(get(server.uri().resolve("timeline")).body());
    assertThat(line.getConfigList("rows")).extracting(row -> row.getInt("rank")).contains(0, 1);
    assertThat(line.getList("points")).hasSize(2);
    assertThat(line.getList("slices")).hasSize(1);
    assertThat(line.getList("arrows")).hasSize(1);
    assertThat(line.getList("remarks")).as("none has closed, as the job runs").isEmpty();
  }

  @Test
  void shouldPlayARunForEachWhoAsks() throws Exception {
    Recorder sender = rank(0, SENDER);
    sender.record(TraceKind.SENT, TraceKind.Way.EAGER.code(), FLOW, 1, 1, 0x2A, 64, RECEIVER, 0, 1);
    server.close();
    server = WatchServer.replay(Timeline.gather(directory, 1), 0);
    BufferedReader events = events();
    frame(events, frame -> frame.contains("\"said\": []"));

    assertThat(post("do=step").body()).contains("\"over\": true");
    frame(events, frame -> frame.contains("#1 goes to"));
    assertThat(post("do=freeze").statusCode()).isEqualTo(400);
    assertThat(post("do=speed&us=x").statusCode()).isEqualTo(400);
    assertThat(post("do=speed&us=500").body()).contains("\"usPerSecond\": 500");
  }
}
