package io.tagfabric.processes;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium without a screen, steered by its DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final String LISTENS = "DevTools listening on ";
  private static final long PATIENCE_S = 60;

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<Config> answers = new LinkedBlockingQueue<>();
  private WebSocket page;
  private int calls;

  private Browser(Process process) {
    this.process = process;
  }

  /** Where one is, if there is any. */
  static Optional<Path> find() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .flatMap(place -> NAMES.stream().map(name -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens a page. */
  static Browser open(Path executable, Path profile, URI address) throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            executable.toString(),
            "--headless=new",
            "--no-sandbox", // the tests may run as root, and the page is our own
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--window-size=1280,1000",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "about:blank");
    // It leaves files where temporary ones go; there they go with the profile.
    command.environment().put("TMPDIR", Files.createDirectories(profile).toString());
    Browser browser = new Browser(command.start());
    try {
      browser.connect(address);
      return browser;
    } catch (Exception e) {
      browser.close();
      throw e;
    }
  }

  private void connect(URI address) throws Exception {
    BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
    String line = errors.readLine();
    while (line != null && !line.startsWith(LISTENS)) {
      line = errors.readLine();
    }
    if (line == null) {
      throw new IOException("the browser has ended: " + process.waitFor());
    }
    Thread drain = new Thread(() -> errors.lines().forEach(notUsed -> {}), "browser-errors");
    drain.setDaemon(true);
    drain.start();
    URI tools = URI.create(line.substring(LISTENS.length()).strip());
    HttpRequest open =
        HttpRequest.newBuilder(
                URI.create("http://" + tools.getAuthority() + "/json/new?" + address))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    String target = client.send(open, HttpResponse.BodyHandlers.ofString()).body();
    String socket = ConfigFactory.parseString(target).getString("webSocketDebuggerUrl");
    page =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(socket), new Listener())
            .get(PATIENCE_S, TimeUnit.SECONDS);
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        answers.add(ConfigFactory.parseString(text.toString()));
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }
  }

  private Config call(String method, Map<String, Object> parameters) throws Exception {
    int id = ++calls;
    String message =
        ConfigValueFactory.fromMap(Map.of("id", id, "method", method, "params", parameters))
            .render(ConfigRenderOptions.concise());
    page.sendText(message, true).get(PATIENCE_S, TimeUnit.SECONDS);
    while (true) {
      Config answer = answers.poll(PATIENCE_S, TimeUnit.SECONDS);
      if (answer == null) {
        throw new AssertionError("the browser does not answer " + method);
      }
      if (answer.hasPath("id") && answer.getInt("id") == id) {
        return answer.getConfig("result");
      }
    }
  }

  /** The value of an expression, as text. */
  String evaluate(String expression) throws Exception {
    Config result =
        call("Runtime.evaluate", Map.of("expression", "String(" + expression + ")"))
            .getConfig("result");
    return result.getString("value");
  }

  /** A picture of the page. */
  void picture(Path file) throws Exception {
    String data = call("Page.captureScreenshot", Map.of("format", "png")).getString("data");
    Files.write(file, Base64.getDecoder().decode(data));
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }
}
