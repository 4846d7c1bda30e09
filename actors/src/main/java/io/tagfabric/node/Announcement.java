package io.tagfabric.node;

import io.tagfabric.address.Protocols;
import io.tagfabric.runtime.NodeId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a node says of its fabric. It travels as text, a {@code key=value} in each line; any later
 * build reads it, since a line that a build does not know is skipped.
 *
 * @param node who says so
 * @param protocols those it speaks
 * @param providers those its endpoints use, best first
 * @param keys ids of its job keys in its partition: they tell whether two nodes have a key in
 *     common, and neither the key nor the partition
 * @param actors address of the endpoint behind its references to actors; empty if it has none, or
 *     does not tell this peer
 * @param asks whether the other node is to answer with its own
 * @param hasEnded whether there was such an endpoint, and all that peers had sent to it was read
 */
public record Announcement(
    NodeId node,
    Protocols protocols,
    List<String> providers,
    List<String> keys,
    String actors,
    boolean asks,
    boolean hasEnded)
    implements NodeDirectory.Command {
  private static final String NODE = "node";
  private static final String INCARNATION = "incarnation";
  private static final String PROTOCOLS = "protocols";
  private static final String PROVIDERS = "providers";
  private static final String KEYS = "keys";
  private static final String ACTORS = "actors";
  private static final String ASKS = "asks";
  private static final String ENDED = "ended";
  private static final String SEPARATOR = ",";

  public Announcement {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(protocols, "protocols");
    providers = List.copyOf(providers);
    keys = List.copyOf(keys);
    Objects.requireNonNull(actors, "actors");
  }

  /** Whether flows may be set up between two nodes that say this: common protocol, common key. */
  public boolean fits(Announcement other) {
    return hasKeyOf(other) && protocols.common(other.protocols).isPresent();
  }

  /** Whether both have a key of the same partition. */
  boolean hasKeyOf(Announcement other) {
    return !Collections.disjoint(keys, other.keys);
  }

  /** The same for another address of the endpoint, or its end, or as a question. */
  Announcement with(String itsActors, boolean isEnd, boolean isQuestion) {
    return new Announcement(node, protocols, providers, keys, itsActors, isQuestion, isEnd);
  }

  /** As text. */
  String encode() {
    String text =
        String.join(
            "\n",
            NODE + "=" + node.address(),
            INCARNATION + "=" + node.incarnation(),
            PROTOCOLS + "=" + protocols,
            PROVIDERS + "=" + String.join(SEPARATOR, providers),
            KEYS + "=" + String.join(SEPARATOR, keys),
            ACTORS + "=" + actors,
            ASKS + "=" + asks);
    return hasEnded ? text + "\n" + ENDED + "=true" : text;
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is none of {@link #encode}, of this build or a later one
   */
  static Announcement decode(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : text.split("\n", -1)) {
      int at = line.indexOf('=');
      if (at > 0) {
        values.put(line.substring(0, at), line.substring(at + 1));
      }
    }
    return new Announcement(
        new NodeId(value(values, NODE), Long.parseLong(value(values, INCARNATION))),
        Protocols.parse(value(values, PROTOCOLS)),
        list(value(values, PROVIDERS)),
        list(value(values, KEYS)),
        values.getOrDefault(ACTORS, ""),
        Boolean.parseBoolean(values.get(ASKS)),
        Boolean.parseBoolean(values.get(ENDED)));
  }

  private static String value(Map<String, String> values, String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException(
          "an announcement of a node has no line [" + key + "=], it has " + values.keySet());
    }
    return value;
  }

  private static List<String> list(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(SEPARATOR));
  }
}
