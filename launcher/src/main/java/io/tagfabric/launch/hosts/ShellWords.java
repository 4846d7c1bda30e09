package io.tagfabric.launch.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Words and command lines as a POSIX shell has them, without its expansions. */
public final class ShellWords {
  private static final String PLAIN = "[A-Za-z0-9_./:=,@%+-]+";

  private ShellWords() {}

  /** A word in such quotes that a shell gives it back as it is. */
  public static String quote(String word) {
    return word.matches(PLAIN) ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** A command line that a shell splits into these words again. */
  public static String line(List<String> words) {
    return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
  }

  /**
   * Splits at blanks outside of quotes; {@code '}, {@code "} and {@code \} work as in a shell.
   *
   * @throws IllegalArgumentException if a quote is not closed
   */
  public static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote == 0 && Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
        continue;
      }
      if (word == null) {
        word = new StringBuilder();
      }
      if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote != '\'' && escapes(line, i, quote)) {
        i++;
        word.append(line.charAt(i));
      } else {
        word.append(c);
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quote " + quote + " is not closed");
    }
    if (word != null) {
      words.add(word.toString());
    }
    return List.copyOf(words);
  }

  /** In double quotes a backslash is itself, save before what is special there. */
  private static boolean escapes(String line, int at, char quote) {
    return at + 1 < line.length() && (quote == 0 || "\"\\$`".indexOf(line.charAt(at + 1)) >= 0);
  }
}
