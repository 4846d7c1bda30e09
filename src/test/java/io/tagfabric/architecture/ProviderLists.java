package io.tagfabric.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds sources that list providers by name. Such a list misses the next provider, so code asks
 * {@code Provider.installed()}. An example in a text may name two.
 */
final class ProviderLists {
  private static final int FEWEST_IN_A_TEXT = 3;
  private static final int FEWEST_LITERALS = 2;

  /** Comments and characters are read to be skipped: they may hold quotation marks. */
  private static final Pattern TOKENS =
      Pattern.compile(
          "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\])'|//[^\n]*|/\\*.*?\\*/");

  private final Collection<String> names;
  private final Pattern word;

  /**
   * @param names of the providers there are
   */
  ProviderLists(Collection<String> names) {
    this.names = Set.copyOf(names);
    word =
        Pattern.compile(
            names.stream()
                .map(Pattern::quote)
                .collect(Collectors.joining("|", "(?<![\\w./-])(?:", ")(?![\\w-]|\\.\\w)")));
  }

  /** The classes below a directory of sources that list providers. */
  List<String> below(Path sources) {
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> lists(read(file)))
          .map(file -> sources.relativize(file).toString())
          .map(file -> file.substring(0, file.length() - ".java".length()).replace('/', '.'))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether one text of a source names three providers, or two texts are names of providers. */
  boolean lists(String source) {
    List<String> texts =
        TOKENS
            .matcher(source)
            .results()
            .map(MatchResult::group)
            .filter(token -> token.startsWith("\""))
            .map(token -> token.replaceAll("^\"+|\"+$", ""))
            .toList();
    return texts.stream().anyMatch(text -> named(text).size() >= FEWEST_IN_A_TEXT)
        || texts.stream().filter(names::contains).distinct().count() >= FEWEST_LITERALS;
  }

  private Set<String> named(String text) {
    return word.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
