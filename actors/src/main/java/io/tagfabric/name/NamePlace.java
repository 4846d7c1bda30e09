package io.tagfabric.name;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name and the ActorSystem that is asked for it, of this node's cluster or not: {@code
 * [system@]host:port/name}. Without a system it is one of the same name as this node's. An IPv6
 * address stands in brackets.
 *
 * <p>A text is of this form if it has a {@code /} and what is before the first one ends with {@code
 * :} and digits, or begins with a numeric address and {@code :}. Other texts are plain names,
 * whatever characters they have. A value.
 *
 * @param node address of the ActorSystem, such as {@code akka://job@127.0.0.1:25520}
 * @param name that an endpoint of it has; may have any characters
 */
record NamePlace(String node, String name) {
  private static final String PROTOCOL = "akka://";
  private static final int MAX_PORT = 0xffff;
  private static final Pattern FORM =
      Pattern.compile(
          "[^/]*:\\d+/.*|([^/@]*@)?(\\d+(\\.\\d+){3}|\\[)[^/]*:[^/]*/.*", Pattern.DOTALL);
  private static final Pattern PARTS =
      Pattern.compile(
          "(?:(?<system>[A-Za-z0-9][A-Za-z0-9_-]*)@)?"
              + "(?<host>[A-Za-z0-9][A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]+(?:%[A-Za-z0-9._-]+)?])"
              + ":(?<port>\\d{1,5})/(?<name>.*)",
          Pattern.DOTALL);

  /** Whether a text is of this form, perhaps with mistakes; if not it is a plain name. */
  static boolean isPlace(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Reads a text of this form.
   *
   * @param self address of this node
   * @throws FabricException INVALID if there is a mistake in it, ADDRESS_NOT_AVAILABLE if this node
   *     has no address by which another could answer
   */
  static NamePlace parse(String text, String self) {
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches()) {
      throw invalid(text, "it must be [system@]host:port/name, an IPv6 address in brackets");
    }
    int port = Integer.parseInt(parts.group("port"));
    if (port < 1 || port > MAX_PORT) {
      throw invalid(text, "port=" + port + " must be 1 to " + MAX_PORT);
    }
    String name = parts.group("name");
    if (!NameRule.isName(name)) {
      throw invalid(text, "the name behind the / must " + NameRule.TEXT);
    }
    int host = self.indexOf('@');
    if (host < 0) {
      throw new FabricException(
          FabricError.ADDRESS_NOT_AVAILABLE,
          "this ActorSystem ["
              + self
              + "] has no host and port, so no other can answer it about ["
              + text
              + "]: set akka.actor.provider to remote or cluster");
    }
    String system = parts.group("system");
    if (system == null) {
      system = self.substring(self.indexOf("//") + 2, host);
    }
    return new NamePlace(PROTOCOL + system + "@" + parts.group("host") + ":" + port, name);
  }

  private static FabricException invalid(String text, String rule) {
    return new FabricException(FabricError.INVALID, "[" + text + "] names no endpoint: " + rule);
  }
}
