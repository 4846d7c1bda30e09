package io.tagfabric.watch;

import io.tagfabric.timeline.PageWriter;
import io.tagfabric.timeline.PerfettoWriter;
import io.tagfabric.timeline.Timeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves the page of a job, or of a run of a seed, on loopback, below a random path that only who
 * was told knows. However many pages are open, the files are read once. Thread: any.
 *
 * @source WHATWG HTML, server-sent events
 */
public final class WatchServer implements AutoCloseable {
  /** How often pages hear. */
  private static final long LOOK_MS = 100;

  /** What pages have to hear that the job has ended. */
  private static final long LAST_WORD_NS = TimeUnit.SECONDS.toNanos(1);

  private static final int TOKEN_BYTES = 16;
  private static final int MOST_PAGES = 16;

  /** What a page that is slow may be behind. */
  private static final int FRAMES_KEPT = 20;

  /** Events that a page can draw with ease. */
  private static final int MOST_DRAWN = 40_000;

  private static final String TRACE = "trace.pftrace";
  private static final String ENDED = "{\"ended\": true}";
  private static final String TEXT = "text/plain";
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
  private final String token;
  private PageFront front;
  private Thread follower;
  private final List<BlockingQueue<String>> pages = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean closed;

  private WatchServer(Watched job, String token) {
    this.job = job;
    this.token = token;
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
    WatchServer watch = new WatchServer(job, HexFormat.of().formatHex(random));
    watch.front = PageFront.start(port, watch::letsIn, watch::handle);
    watch.follower = new Thread(watch::follow, "tagfabric-watch-files");
    watch.follower.setDaemon(true);
    watch.follower.start();
    return watch;
  }

  /** Where a browser finds the page. */
  public URI uri() {
    InetSocketAddress address = front.address();
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
      front.close();
      follower.interrupt();
      awaitPages();
      ended.countDown();
    }
  }

  /** A process that ends at once would cut their last word off. */
  private void awaitPages() {
    long untilNs = System.nanoTime() + LAST_WORD_NS;
    while (!pages.isEmpty() && System.nanoTime() - untilNs < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
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

  private void serveEvents(PageRequest request) throws IOException {
    if (pages.size() >= MOST_PAGES) {
      request.answer(503, TEXT, "too many pages\n".getBytes(StandardCharsets.UTF_8));
      return;
    }
    BlockingQueue<String> page = new ArrayBlockingQueue<>(FRAMES_KEPT);
    pages.add(page);
    try (OutputStream out = request.begin(200, "text/event-stream")) {
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

  private boolean letsIn(String path) {
    String[] parts = path.split("/", 3);
    return parts.length == 3 && isToken(parts[1]);
  }

  private void handle(PageRequest request) throws IOException {
    request.header("Cache-Control", "no-store");
    request.header("Referrer-Policy", "no-referrer");
    request.header("X-Content-Type-Options", "nosniff");
    request.header("Content-Security-Policy", "default-src 'self'");
    String name = request.path().split("/", 3)[2];
    boolean reads = request.method().equals("GET");
    if (name.equals("command") && request.method().equals("POST")) {
      command(request);
    } else if (!reads) {
      request.answer(405, TEXT, new byte[0]);
    } else if (name.equals("events")) {
      serveEvents(request);
    } else if (name.equals("timeline")) {
      String text = PageWriter.write(job.timeline(), MOST_DRAWN);
      request.answer(200, "application/json", text.getBytes(StandardCharsets.UTF_8));
    } else if (name.equals(TRACE)) {
      request.header("Content-Disposition", "attachment; filename=\"" + TRACE + "\"");
      request.answer(200, "application/octet-stream", PerfettoWriter.write(job.timeline()));
    } else {
      serveFile(request, name.isEmpty() ? "watch.html" : name);
    }
  }

  private boolean isToken(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }

  private static void serveFile(PageRequest request, String name) throws IOException {
    PageFile asked = FILES.get(name);
    if (asked == null) {
      request.answer(404, TEXT, "not found\n".getBytes(StandardCharsets.UTF_8));
      return;
    }
    try (InputStream file = WatchServer.class.getResourceAsStream(asked.resource())) {
      request.answer(200, asked.type(), file.readAllBytes());
    }
  }

  private void command(PageRequest request) throws IOException {
    Map<String, String> words = new HashMap<>();
    for (String part : request.query().split("&", -1)) {
      int equals = part.indexOf('=');
      words.put(equals < 0 ? part : part.substring(0, equals), part.substring(equals + 1));
    }
    try {
      byte[] text = (job.command(words) + "\n").getBytes(StandardCharsets.UTF_8);
      request.answer(200, "application/json", text);
    } catch (IllegalArgumentException e) {
      request.answer(400, TEXT, "not a command\n".getBytes(StandardCharsets.UTF_8));
    }
  }
}
