package io.tagfabric.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tagfabric.timeline.PageWriter;
import io.tagfabric.timeline.PerfettoWriter;
import io.tagfabric.timeline.Timeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Serves the page of a job, or of a run of a seed, on loopback, below a random path that only who
 * was told knows. However many pages are open, the files are read once. Thread: any.
 *
 * @source WHATWG HTML, server-sent events
 */
public final class WatchServer implements AutoCloseable {
  /** How often pages hear. */
  private static final long LOOK_MS = 100;

  private static final int TOKEN_BYTES = 16;
  private static final int MOST_PAGES = 16;

  /** What a page that is slow may be behind. */
  private static final int FRAMES_KEPT = 20;

  /** Events that a page can draw with ease. */
  private static final int MOST_DRAWN = 40_000;

  private static final String TRACE = "trace.pftrace";
  private static final String ENDED = "{\"ended\": true}";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";

  /** The charts' library, as its artifact has it; the version is that of the pom. */
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final Map<String, PageFile> FILES =
      Map.of(
          "watch.html", new PageFile("watch.html", HTML),
          "watch.js", new PageFile("watch.js", SCRIPT),
          "charts.js", new PageFile("charts.js", SCRIPT),
          "timeline.js", new PageFile("timeline.js", SCRIPT),
          "watch.css", new PageFile("watch.css", STYLE),
          "uplot.js", new PageFile(UPLOT + "uPlot.iife.min.js", SCRIPT),
          "uplot.css", new PageFile(UPLOT + "uPlot.min.css", STYLE));

  /**
   * What a page may ask for.
   *
   * @param resource its name, of this class
   * @param type its content type
   */
  private record PageFile(String resource, String type) {}

  private final Watched job;
  private final HttpServer server;
  private final ExecutorService threads;
  private final String token;
  private final List<BlockingQueue<String>> pages = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean closed;

  private WatchServer(Watched job, HttpServer server, String token) {
    this.job = job;
    this.server = server;
    this.token = token;
    threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "tagfabric-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins to serve.
   *
   * @param directory where the recorders of the job write
   * @param port on loopback, 0 for any that is free
   * @throws IOException if the port cannot be had
   */
  public static WatchServer start(Path directory, int port) throws IOException {
    return start(new WatchedJob(directory), port);
  }

  /**
   * Begins to serve a run that is over, so that it can be played.
   *
   * @param run its time line
   * @param port on loopback, 0 for any that is free
   * @throws IOException if the port cannot be had
   */
  public static WatchServer replay(Timeline run, int port) throws IOException {
    return start(new Replay(run, System::nanoTime), port);
  }

  private static WatchServer start(Watched job, int port) throws IOException {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(loopback, 0);
    WatchServer watch = new WatchServer(job, server, HexFormat.of().formatHex(random));
    server.createContext("/", watch::handle);
    server.setExecutor(watch.threads);
    server.start();
    watch.threads.execute(watch::follow);
    return watch;
  }

  /** Where a browser finds the page. */
  public URI uri() {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://"
            + address.getAddress().getHostAddress()
            + ":"
            + address.getPort()
            + "/"
            + token
            + "/");
  }

  /** Waits until all processes that were seen have ended, or the server is closed. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Ends the pages, and lets domains go on that one of them has frozen. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      job.release();
      pages.forEach(page -> show(page, ENDED));
      server.stop(1);
      threads.shutdownNow();
      ended.countDown();
    }
  }

  // ---- what pages hear ----

  private void follow() {
    try {
      while (!closed) {
        job.look();
        if (pages.isEmpty()) {
          job.skip();
        } else {
          String frame = job.read();
          pages.forEach(page -> show(page, frame));
        }
        if (job.hasEnded()) {
          ended.countDown();
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    } catch (InterruptedException endsIt) {
      Thread.currentThread().interrupt();
    }
  }

  /** The oldest goes if the page is slow. */
  static void show(BlockingQueue<String> page, String frame) {
    while (!page.offer(frame)) {
      page.poll();
    }
  }

  private void serveEvents(HttpExchange exchange) throws IOException {
    if (pages.size() >= MOST_PAGES) {
      answer(exchange, 503, "text/plain", "too many pages\n".getBytes(StandardCharsets.UTF_8));
      return;
    }
    BlockingQueue<String> page = new ArrayBlockingQueue<>(FRAMES_KEPT);
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    pages.add(page);
    try (OutputStream out = exchange.getResponseBody()) {
      String frame = "";
      while (!frame.equals(ENDED)) {
        frame = page.take();
        out.write(("data: " + frame + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (InterruptedException endsIt) {
      Thread.currentThread().interrupt();
    } finally {
      pages.remove(page);
    }
  }

  // ---- requests ----

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'self'");
      String[] path = exchange.getRequestURI().getPath().split("/", 3);
      if (path.length < 3 || !isToken(path[1])) {
        answer(exchange, 403, "text/plain", "forbidden\n".getBytes(StandardCharsets.UTF_8));
        return;
      }
      String method = exchange.getRequestMethod();
      if (path[2].equals("command") && method.equals("POST")) {
        command(exchange);
      } else if (path[2].equals("events") && method.equals("GET")) {
        serveEvents(exchange);
      } else if (path[2].equals("timeline") && method.equals("GET")) {
        String text = PageWriter.write(job.timeline(), MOST_DRAWN);
        answer(exchange, 200, "application/json", text.getBytes(StandardCharsets.UTF_8));
      } else if (path[2].equals(TRACE) && method.equals("GET")) {
        exchange
            .getResponseHeaders()
            .set("Content-Disposition", "attachment; filename=\"" + TRACE + "\"");
        answer(exchange, 200, "application/octet-stream", PerfettoWriter.write(job.timeline()));
      } else if (method.equals("GET")) {
        serveFile(exchange, path[2].isEmpty() ? "watch.html" : path[2]);
      } else {
        answer(exchange, 405, "text/plain", new byte[0]);
      }
    }
  }

  private boolean isToken(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static void serveFile(HttpExchange exchange, String name) throws IOException {
    PageFile asked = FILES.get(name);
    if (asked == null) {
      answer(exchange, 404, "text/plain", "not found\n".getBytes(StandardCharsets.UTF_8));
      return;
    }
    try (InputStream file = WatchServer.class.getResourceAsStream(asked.resource())) {
      answer(exchange, 200, asked.type(), file.readAllBytes());
    }
  }

  private void command(HttpExchange exchange) throws IOException {
    String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
    Map<String, String> words = new HashMap<>();
    for (String part : query.split("&", -1)) {
      int equals = part.indexOf('=');
      words.put(equals < 0 ? part : part.substring(0, equals), part.substring(equals + 1));
    }
    try {
      byte[] text = (job.command(words) + "\n").getBytes(StandardCharsets.UTF_8);
      answer(exchange, 200, "application/json", text);
    } catch (IllegalArgumentException e) {
      answer(exchange, 400, "text/plain", "not a command\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void answer(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }
}
