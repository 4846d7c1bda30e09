package io.tagfabric.trials.simulate;

import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.job.SimulatedJob;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The program that a simulation runs instead of random ones. */
public final class ProgramOptions {
  /** Of virtual time; what takes longer hangs. */
  static final Duration LIMIT = Duration.ofMinutes(10);

  private static final String NAMES = "META-INF/tagfabric/programs";
  private static final String ALL_JARS = "*";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PROGRAM",
      description = "A name that `tagfabric programs` lists, or a class with a main method.")
  private String program;

  @Parameters(index = "1..*", paramLabel = "ARG", description = "Arguments of the program.")
  private List<String> arguments = new ArrayList<>();

  @Option(
      names = {"--class-path", "-cp"},
      paramLabel = "PATH",
      description = "Jars and directories of the program, such as 'app.jar:lib/*'.")
  private String classPath;

  /** Made by picocli. */
  public ProgramOptions() {
    // Nothing is given yet.
  }

  /**
   * A program that no command line names here.
   *
   * @param program null for none
   * @param classPath null for none beside the command's own
   */
  public ProgramOptions(String program, List<String> arguments, String classPath) {
    this.program = program;
    this.arguments = List.copyOf(arguments);
    this.classPath = classPath;
  }

  boolean isGiven() {
    return program != null;
  }

  /** What the program is called on the command line. */
  String name() {
    return program;
  }

  List<String> arguments() {
    return List.copyOf(arguments);
  }

  /** What to write to run the same again, without the seed. */
  String again() {
    return program
        + (classPath == null ? "" : " --class-path '" + classPath + "'")
        + (arguments.isEmpty() ? "" : " -- " + String.join(" ", arguments));
  }

  /**
   * The classes of the program.
   *
   * @throws IllegalArgumentException if a place is missing
   */
  ProgramCode code() {
    List<Path> places = new ArrayList<>();
    if (classPath != null) {
      for (String word : classPath.split(File.pathSeparator, -1)) {
        addPlaces(word, places);
      }
    }
    return ProgramCode.of(places);
  }

  private static void addPlaces(String word, List<Path> places) {
    boolean isAll = word.equals(ALL_JARS) || word.endsWith(File.separator + ALL_JARS);
    Path place =
        Path.of(isAll ? word.substring(0, word.length() - 1) : word).toAbsolutePath().normalize();
    if (!Files.isReadable(place)) {
      throw new IllegalArgumentException("--class-path: " + place + " is missing, check the name");
    }
    if (!isAll) {
      places.add(place);
      return;
    }
    try (Stream<Path> files = Files.list(place)) {
      files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(places::add);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * A job of it.
   *
   * @throws IllegalArgumentException if there is no such program, or a fault is none
   */
  SimulatedJob job(ProgramCode code, RunOptions run) {
    return new SimulatedJob(
        code, mainClass(code), arguments(), run.ranks(), run.jobFaults(), LIMIT);
  }

  /**
   * The class with the {@code main}.
   *
   * @throws IllegalArgumentException if there is none
   */
  String mainClass(ProgramCode code) {
    String found = byName().orElse(program);
    if (!code.has(found)) {
      throw new IllegalArgumentException(
          "unknown program '"
              + program
              + "', `tagfabric programs` lists names; of a class of yours"
              + " write --class-path PATH, too");
    }
    return found;
  }

  private Optional<String> byName() {
    try {
      ClassLoader loader = ProgramOptions.class.getClassLoader();
      for (URL resource : Collections.list(loader.getResources(NAMES))) {
        try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(resource.openStream(), StandardCharsets.UTF_8))) {
          Optional<String> found =
              lines
                  .lines()
                  .filter(line -> line.replaceFirst("=.*", "").strip().equals(program))
                  .map(line -> line.replaceFirst("[^=]*=", "").replaceFirst(",.*", "").strip())
                  .findFirst();
          if (found.isPresent()) {
            return found;
          }
        }
      }
      return Optional.empty();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
