package io.tagfabric.testkit;

import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.TagSelector;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** What waits at an endpoint, for people. */
final class Waiting {
  private static final int SHOWN = 16;

  private Waiting() {}

  static String text(MessageInfo message, IntFunction<String> nameOf) {
    return (message.tagged() ? "tag 0x" + Long.toHexString(message.tag()) : "untagged")
        + " from "
        + nameOf.apply(message.source())
        + ", "
        + message.lengthBytes()
        + " B";
  }

  static String text(TagSelector selector, IntFunction<String> nameOf) {
    return named(selector.toString(), selector, nameOf);
  }

  static String text(TagMatcher.ReceiveInfo receive, IntFunction<String> nameOf) {
    return named(receive.toString(), receive.selector(), nameOf);
  }

  private static String named(String text, TagSelector selector, IntFunction<String> nameOf) {
    return selector.source() == TagSelector.ANY_SOURCE
        ? text
        : text.replaceFirst("from \\d+$", "from " + nameOf.apply(selector.source()));
  }

  /** The unexpected messages and the posted receives, the first of each. */
  static String text(TagMatcher.Waiting waiting, IntFunction<String> nameOf) {
    return list(
            "unexpected messages", waiting.messages().stream().map(m -> text(m, nameOf)).toList())
        + list("posted receives", waiting.receives().stream().map(s -> text(s, nameOf)).toList());
  }

  private static String list(String what, List<String> lines) {
    String shown =
        lines.stream().limit(SHOWN).map(line -> "\n  " + line).collect(Collectors.joining());
    return "\n"
        + what
        + " there: "
        + (lines.isEmpty() ? "none" : lines.size() + shown)
        + (lines.size() > SHOWN ? "\n  .." : "");
  }
}
