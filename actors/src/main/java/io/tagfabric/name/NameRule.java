package io.tagfabric.name;

import java.util.Objects;

/** Which texts are names. */
final class NameRule {
  private static final int MAX_LENGTH = 255;

  /** What {@link #isName} asks for; behind "must". */
  static final String TEXT = "have 1 to " + MAX_LENGTH + " characters and not be blank";

  private NameRule() {}

  /** Whether a text has the length of a name. */
  static boolean isName(String text) {
    return text.length() <= MAX_LENGTH && !text.isBlank();
  }

  /** Of what holds a name or gives one up. */
  static void requireName(String name) {
    Objects.requireNonNull(name, "name");
    if (!isName(name)) {
      throw new IllegalArgumentException("name [" + name + "] must " + TEXT);
    }
  }

  /** Of what is to get a name: it must not be one that asks another ActorSystem. */
  static void requirePlain(String name) {
    requireName(name);
    if (NamePlace.isPlace(name)) {
      throw new IllegalArgumentException(
          "name ["
              + name
              + "] looks like host:port/name, by which the ActorSystem there is asked; choose one"
              + " without a port before its first /");
    }
  }

  /** Of what is looked for. The search itself tells what is wrong with a place. */
  static void requireText(String text) {
    Objects.requireNonNull(text, "name");
    if (!NamePlace.isPlace(text)) {
      requireName(text);
    }
  }
}
