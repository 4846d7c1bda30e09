package io.tagfabric.address;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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
 * @param contexts those of the scalable endpoint that this is, or is a context of; else null
 * @param protocols that its node speaks
 */
public record EndpointAddress(
    long incarnation,
    int endpoint,
    String name,
    String node,
    String vm,
    Map<String, String> providers,
    ContextAddresses contexts,
    Protocols protocols) {
  private static final String VERSION = "1";

  /** Of the address of a scalable endpoint, or of its contexts, which tells all of them. */
  private static final String SCALABLE_VERSION = "2";

  private static final int FIXED_PARTS = 6;

  /** Begins what is neither a provider's nor a context's; a reader skips those it does not know. */
  private static final String PARAMETER = "@";

  private static final String PROTOCOLS = PARAMETER + "protocols=";

  /**
   * An address.
   *
   * @throws IllegalArgumentException if {@code endpoint} is none of {@code contexts}
   */
  public EndpointAddress {
    providers = Collections.unmodifiableMap(new LinkedHashMap<>(providers));
    if (contexts != null
        && (endpoint < contexts.first() || endpoint > contexts.first() + contexts.count())) {
      throw new IllegalArgumentException(
          "endpoint="
              + endpoint
              + " is none of first="
              + contexts.first()
              + " contexts="
              + contexts.count());
    }
  }

  /** The address of an endpoint without contexts whose node speaks the protocols of this one. */
  public EndpointAddress(
      long incarnation,
      int endpoint,
      String name,
      String node,
      String vm,
      Map<String, String> providers) {
    this(incarnation, endpoint, name, node, vm, providers, null, Protocols.OWN);
  }

  /** Whether it is a whole scalable endpoint. */
  public boolean isWhole() {
    return contexts != null && endpoint == contexts.first();
  }

  /** The scalable endpoint that it is, or is a context of; itself if it is neither. */
  public EndpointAddress whole() {
    return contexts == null ? this : withEndpoint(contexts.first(), 0);
  }

  /**
   * A context of the scalable endpoint.
   *
   * @param number from 0
   * @throws IllegalArgumentException if there is none of this number
   */
  public EndpointAddress context(int number) {
    int count = contexts == null ? 0 : contexts.count();
    if (number < 0 || number >= count) {
      throw new IllegalArgumentException(
          "context=" + number + " of [" + this + "] is not among its contexts=" + count);
    }
    return withEndpoint(contexts.first() + 1 + number, number);
  }

  private EndpointAddress withEndpoint(int newEndpoint, int context) {
    return new EndpointAddress(
        incarnation,
        newEndpoint,
        name,
        node,
        vm,
        contexts.providers().get(context),
        contexts,
        protocols);
  }

  /** Whether both addresses name the same endpoint of the same incarnation. */
  public boolean isSameEndpoint(EndpointAddress other) {
    return incarnation == other.incarnation && endpoint == other.endpoint;
  }

  /** One line of text from which {@link #parse} makes the address again. */
  public String encode() {
    StringBuilder text = new StringBuilder(160);
    text.append(contexts == null ? VERSION : SCALABLE_VERSION)
        .append(' ')
        .append(Long.toHexString(incarnation))
        .append(' ');
    text.append(endpoint).append(' ').append(quoted(name)).append(' ').append(quoted(node));
    text.append(' ').append(quoted(vm));
    if (contexts == null) {
      append(text, "", providers);
    } else {
      text.append(' ').append(contexts.first()).append('/').append(contexts.tagShift());
      text.append('/').append(contexts.tagBits()).append('/').append(contexts.count());
      for (int i = 0; i < contexts.count(); i++) {
        append(text, i + "@", contexts.providers().get(i));
      }
    }
    return text.append(' ').append(PROTOCOLS).append(protocols).toString();
  }

  private static void append(StringBuilder text, String before, Map<String, String> providers) {
    providers.forEach(
        (provider, address) ->
            text.append(' ')
                .append(before)
                .append(quoted(provider))
                .append('=')
                .append(quoted(address)));
  }

  /**
   * The address that {@link #encode} wrote. Without protocols, as a person may type it, those of
   * this node.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static EndpointAddress parse(String text) {
    String[] parts = text.split(" ", -1);
    boolean scalable = parts[0].equals(SCALABLE_VERSION);
    if (parts.length < FIXED_PARTS || !(scalable || parts[0].equals(VERSION))) {
      throw new IllegalArgumentException(
          "["
              + OneLine.of(text)
              + "] is not an endpoint address of version "
              + VERSION
              + " or "
              + SCALABLE_VERSION);
    }
    try {
      ContextAddresses contexts = scalable ? contexts(parts) : null;
      int endpoint = Integer.parseInt(parts[2]);
      Map<String, String> providers =
          scalable
              ? contexts.providers().get(Math.max(0, endpoint - contexts.first() - 1))
              : providers(parts, FIXED_PARTS, "");
      return new EndpointAddress(
          Long.parseUnsignedLong(parts[1], 16),
          endpoint,
          unquoted(parts[3]),
          unquoted(parts[4]),
          unquoted(parts[5]),
          providers,
          contexts,
          protocols(parts));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "[" + OneLine.of(text) + "] is not an endpoint address", e);
    }
  }

  private static ContextAddresses contexts(String[] parts) {
    String[] numbers = parts[FIXED_PARTS].split("/", -1);
    int count = Integer.parseInt(numbers[3]);
    List<Map<String, String>> providers = new ArrayList<>();
    for (int i = 0; i < Math.min(count, ContextAddresses.MOST + 1); i++) {
      providers.add(providers(parts, FIXED_PARTS + 1, i + "@"));
    }
    return new ContextAddresses(
        Integer.parseInt(numbers[0]),
        Integer.parseInt(numbers[1]),
        Integer.parseInt(numbers[2]),
        providers);
  }

  private static Protocols protocols(String[] parts) {
    for (int i = FIXED_PARTS; i < parts.length; i++) {
      if (parts[i].startsWith(PROTOCOLS)) {
        return Protocols.parse(parts[i].substring(PROTOCOLS.length()));
      }
    }
    return Protocols.OWN;
  }

  /** Those of the parts that begin so. */
  private static Map<String, String> providers(String[] parts, int from, String before) {
    Map<String, String> providers = new LinkedHashMap<>();
    for (int i = from; i < parts.length; i++) {
      if (parts[i].startsWith(before)) {
        int equals = parts[i].indexOf('=');
        String provider = parts[i].substring(before.length(), equals);
        if (!provider.startsWith(PARAMETER)) {
          providers.put(unquoted(provider), unquoted(parts[i].substring(equals + 1)));
        }
      }
    }
    return providers;
  }

  private static String quoted(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String unquoted(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Name, number of the context if it is one, and node on one line, for people. */
  @Override
  public String toString() {
    String context = contexts == null || isWhole() ? "" : "/" + (endpoint - contexts.first() - 1);
    return OneLine.of(name + context + "@" + node);
  }
}
