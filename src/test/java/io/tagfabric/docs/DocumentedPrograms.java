package io.tagfabric.docs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The names that modules give to programs, and the options behind them. */
final class DocumentedPrograms {
  private static final String PROGRAMS = "META-INF/tagfabric/programs";

  private DocumentedPrograms() {}

  /** Classes by the names of programs that {@code tagfabric run} knows. */
  static Map<String, String> all() {
    Map<String, String> names = new TreeMap<>();
    try {
      for (URL resource :
          Collections.list(DocumentedPrograms.class.getClassLoader().getResources(PROGRAMS))) {
        read(resource, names);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static void read(URL resource, Map<String, String> names) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(resource.openStream(), StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> line.indexOf('=') > 0)
          .forEach(
              line -> {
                String[] parts = line.split("=|,", 3);
                names.put(parts[0].strip(), parts[1].strip());
              });
    }
  }

  /** The options of a program, empty if it has none. */
  static Optional<CommandLine> options(String className) throws ReflectiveOperationException {
    Class<?> program = Class.forName(className);
    Optional<Class<?>> options =
        Stream.concat(Stream.of(program), Stream.of(program.getDeclaredClasses()))
            .filter(type -> type.isAnnotationPresent(CommandLine.Command.class))
            .findFirst();
    if (options.isEmpty()) {
      return Optional.empty();
    }
    Constructor<?> constructor = options.get().getDeclaredConstructor();
    constructor.setAccessible(true);
    return Optional.of(new CommandLine(constructor.newInstance()));
  }
}
