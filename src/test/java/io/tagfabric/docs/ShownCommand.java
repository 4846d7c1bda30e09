package io.tagfabric.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command of the shell on a page, as a block of code shows it or in a sentence.
 *
 * @param inBlock whether it stands in a block, so that nothing may be missing
 */
record ShownCommand(Path page, String text, boolean inBlock) {
  private static final Pattern BEGIN = Pattern.compile("(sudo )?((\\./)?tagfabric|mvn) [a-z-].*");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|([^\\s\"']+)|(\\s+)");
  private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]{2,}");
  private static final Set<String> ENDS = Set.of("#", "|", ">", "&&", ";");

  /** All of a page. */
  static List<ShownCommand> of(Path page) {
    Stream<ShownCommand> blocks =
        Pages.blocks(page).stream()
            .filter(block -> block.language().isEmpty() || block.language().equals("sh"))
            .flatMap(block -> block.text().replace("\\\n", " ").lines())
            .map(line -> new ShownCommand(page, line.strip(), true));
    Stream<ShownCommand> indented =
        Pages.indented(page).stream().map(line -> new ShownCommand(page, line, true));
    Stream<ShownCommand> sentences =
        Pages.codeSpans(page).stream().map(span -> new ShownCommand(page, span, false));
    return Stream.of(blocks, indented, sentences)
        .flatMap(found -> found)
        .filter(command -> BEGIN.matcher(command.text()).matches())
        .toList();
  }

  /** Its words, without quotes, up to a comment, a pipe or another command. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (MatchResult part : WORD.matcher(text + " ").results().toList()) {
      if (part.group(4) == null) {
        word.append(Stream.of(1, 2, 3).map(part::group).filter(g -> g != null).findFirst().get());
      } else if (ENDS.contains(word.toString())) {
        return words;
      } else if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    return words;
  }

  /** The words of a command {@code tagfabric} behind it, null if it is another command. */
  List<String> tagfabricWords() {
    List<String> words = words();
    int at = words.get(0).equals("sudo") ? 1 : 0;
    return words.get(at).endsWith("tagfabric") ? words.subList(at + 1, words.size()) : null;
  }

  /** Whether a word of it stands for what a reader has to put there. */
  boolean hasPlaceholder() {
    return words().stream().map(PLACEHOLDER::matcher).anyMatch(Matcher::matches);
  }

  @Override
  public String toString() {
    return text + " of " + Pages.root().relativize(page);
  }
}
