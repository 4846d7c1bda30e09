package io.tagfabric.address;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where an endpoint is and which providers reach it. A value; two addresses are the same endpoint
 * if {@link #incarnation} and {@link #endpoint} agree.
 *
 * @param incarnation uid of the ActorSystem that holds the endpoint; a restarted program has
 *     another
 * @param endpoint number of the endpoint in its ActorSystem, from 0
 * @param name what people call it
 * @param node the ActorSystem's address, such as {@code akka://job@127.0.0.1:25520}
 * @param vm identifies the JVM; equal for ActorSystems in one process
 * @param providers provider name to that provider's own address of the endpoint, best first
 */
public record EndpointAddress(
    long incarnation,
    int endpoint,
    String name,
    String node,
    String vm,
    Map<String, String> providers) {
  private static final String VERSION = "1";

  public EndpointAddress {
    providers = Collections.unmodifiableMap(new LinkedHashMap<>(providers));
  }

  /** Whether both addresses name the same endpoint of the same incarnation. */
  public boolean isSameEndpoint(EndpointAddress other) {
    return incarnation == other.incarnation && endpoint == other.endpoint;
  }

  /** One line of text from which {@link #parse} makes the address again. */
  public String encode() {
    StringBuilder text = new StringBuilder(160);
    text.append(VERSION).append(' ').append(Long.toHexString(incarnation)).append(' ');
    text.append(endpoint).append(' ').append(quoted(name)).append(' ').append(quoted(node));
    text.append(' ').append(quoted(vm));
    providers.forEach(
        (provider, address) ->
            text.append(' ').append(quoted(provider)).append('=').append(quoted(address)));
    return text.toString();
  }

  /**
   * The address that {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static EndpointAddress parse(String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length < 6 || !parts[0].equals(VERSION)) {
      throw new IllegalArgumentException(
          "[" + OneLine.of(text) + "] is not an endpoint address of version " + VERSION);
    }
    try {
      Map<String, String> providers = new LinkedHashMap<>();
      for (int i = 6; i < parts.length; i++) {
        int equals = parts[i].indexOf('=');
        providers.put(
            unquoted(parts[i].substring(0, equals)), unquoted(parts[i].substring(equals + 1)));
      }
      return new EndpointAddress(
          Long.parseUnsignedLong(parts[1], 16),
          Integer.parseInt(parts[2]),
          unquoted(parts[3]),
          unquoted(parts[4]),
          unquoted(parts[5]),
          providers);
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "[" + OneLine.of(text) + "] is not an endpoint address", e);
    }
  }

  private static String quoted(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String unquoted(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Name and node on one line, for people. */
  @Override
  public String toString() {
    return OneLine.of(name + "@" + node);
  }
}
