package io.tagfabric.address;

import io.tagfabric.annotation.InternalApi;

/**
 * Text that a peer chose, fit for one line of a log: what would break the line, move the cursor or
 * turn the direction of writing is shown as an escape. Thread: any.
 */
@InternalApi
public final class OneLine {
  private OneLine() {}

  /** The text with every control and format character as {@code \}{@code uXXXX}. */
  public static String of(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUnfit(text.charAt(i))) {
        return escaped(text, i);
      }
    }
    return text;
  }

  private static String escaped(String text, int from) {
    StringBuilder line = new StringBuilder(text.length() + 32).append(text, 0, from);
    for (int i = from; i < text.length(); i++) {
      char each = text.charAt(i);
      if (isUnfit(each)) {
        line.append(String.format("\\u%04x", (int) each));
      } else {
        line.append(each);
      }
    }
    return line.toString();
  }

  private static boolean isUnfit(char each) {
    return switch (Character.getType(each)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
