package io.tagfabric.cluster.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** One rank of this host: its process, and the threads that copy what it prints. */
final class RankProcess {
  private static final int REMEMBERED_LINES = 20;
  private static final long COPY_PATIENCE_MS = 1000;

  private final int rank;
  private final List<String> command;
  private final Process process;
  private final ProcessId id;
  private final LineCopier output;
  private final LineCopier errors;

  private RankProcess(
      int rank, List<String> command, Process process, LineCopier output, LineCopier errors) {
    this.rank = rank;
    this.command = command;
    this.process = process;
    this.id = ProcessId.of(process.toHandle());
    this.output = output;
    this.errors = errors;
  }

  /**
   * Starts the process of a rank.
   *
   * @param input whether it reads this process' standard input; else its own is empty
   * @throws LaunchException if the process cannot be started
   */
  static RankProcess start(
      int rank,
      List<String> command,
      Map<String, String> variables,
      boolean input,
      RankOutput screen) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(variables);
    if (input) {
      builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    }
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return new RankProcess(
          rank,
          command,
          process,
          screen.copyOutput(rank, process, REMEMBERED_LINES),
          screen.copyErrors(rank, process, REMEMBERED_LINES));
    } catch (IOException failure) {
      throw new LaunchException(
          "cannot start rank "
              + rank
              + " ("
              + failure.getMessage()
              + "): "
              + shellLine(command, Map.of()),
          failure);
    }
  }

  int rank() {
    return rank;
  }

  long pid() {
    return process.pid();
  }

  ProcessId id() {
    return id;
  }

  List<String> command() {
    return command;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  CompletionStage<Process> onExit() {
    return process.onExit();
  }

  /** Asks the process to end. */
  void terminate() {
    process.destroy();
  }

  void kill() {
    process.destroyForcibly();
  }

  /** Waits for the rest of what the ended process has printed. */
  void drain() throws InterruptedException {
    output.awaitEnd(COPY_PATIENCE_MS);
    errors.awaitEnd(COPY_PATIENCE_MS);
  }

  /** The end of what it printed, its errors if there are any. */
  List<String> lastLines() {
    List<String> lines = errors.lastLines();
    return lines.isEmpty() ? output.lastLines() : lines;
  }

  /** The command with its variables as a person could type it. */
  static String shellLine(List<String> command, Map<String, String> variables) {
    List<String> words = new ArrayList<>();
    variables.forEach((name, value) -> words.add(name + "=" + quoted(value)));
    command.forEach(word -> words.add(quoted(word)));
    return String.join(" ", words);
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
