package io.tagfabric.watch;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A request for the page, and its answer. Thread: one. */
final class PageRequest implements AutoCloseable {
  private static final Map<Integer, String> REASONS =
      Map.of(
          200, "OK",
          400, "Bad Request",
          404, "Not Found",
          405, "Method Not Allowed",
          503, "Service Unavailable");

  private final SocketChannel channel;
  private final String method;
  private final URI target;
  private final Map<String, String> headers = new LinkedHashMap<>();

  private PageRequest(SocketChannel channel, String method, URI target) {
    this.channel = channel;
    this.method = method;
    this.target = target;
  }

  /**
   * The request of a head.
   *
   * @return null if it is none
   */
  static PageRequest of(SocketChannel channel, String head) {
    String[] words = head.substring(0, head.indexOf("\r\n")).split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
      return null;
    }
    try {
      URI target = new URI(words[1]);
      return target.getPath() == null ? null : new PageRequest(channel, words[0], target);
    } catch (URISyntaxException garbled) {
      return null;
    }
  }

  String method() {
    return method;
  }

  String path() {
    return target.getPath();
  }

  /** What stands behind the question mark, empty if there is none. */
  String query() {
    return Optional.ofNullable(target.getQuery()).orElse("");
  }

  /** A header of the answer to come. */
  void header(String name, String value) {
    headers.put(name, value);
  }

  /** Answers as a whole. */
  void answer(int code, String type, byte[] body) throws IOException {
    header("Content-Length", Integer.toString(body.length));
    OutputStream out = begin(code, type);
    out.write(body);
    out.flush();
  }

  /** Begins an answer that ends with the connection. */
  OutputStream begin(int code, String type) throws IOException {
    header("Content-Type", type);
    header("Connection", "close");
    StringBuilder head = new StringBuilder("HTTP/1.1 " + code + " " + REASONS.get(code) + "\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    OutputStream out = Channels.newOutputStream(channel);
    out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    return out;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
