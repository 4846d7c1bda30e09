package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.launch.agent.AgentFrame;
import io.tagfabric.launch.agent.AgentOutput;
import io.tagfabric.launch.hosts.Host;
import io.tagfabric.launch.hosts.Spawner;
import io.tagfabric.launch.output.LastLines;
import io.tagfabric.launch.output.StreamCopier;
import io.tagfabric.launch.output.TextSink;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The command that has started an agent on its host: the way to the agent, and what to tell a
 * person when it is none.
 */
final class AgentProcess {
  private static final int REMEMBERED_LINES = 20;
  private static final long PATIENCE_MS = 1000;

  private final String host;
  private final String command;
  private final String advice;
  private final Process process;
  private final AgentOutput orders;
  private final LastLines complaints = new LastLines(REMEMBERED_LINES);
  private final StreamCopier errors;
  private final StringBuilder preamble = new StringBuilder();

  private AgentProcess(
      Host host,
      String command,
      String advice,
      Process process,
      TextSink screen,
      BooleanSupplier there) {
    this.host = host.name();
    this.command = command;
    this.advice = advice;
    this.process = process;
    orders = new AgentOutput(process.getOutputStream(), this.host + "-orders");
    errors =
        StreamCopier.start(
            process.getErrorStream(), complainingTo(screen, there), this.host + "-errors");
  }

  /**
   * Starts the command.
   *
   * @param line that starts the agent, for a shell on the host
   * @param screen shows what the command complains of while the agent is {@code there}
   * @throws LaunchException if it cannot be started
   */
  static AgentProcess start(
      Host host, Spawner spawner, String line, TextSink screen, BooleanSupplier there) {
    String command = spawner.shown(host, line);
    try {
      Process process = new ProcessBuilder(spawner.words(host, line)).start();
      return new AgentProcess(host, command, spawner.advice(host), process, screen, there);
    } catch (IOException failure) {
      throw new LaunchException(
          "host "
              + host.name()
              + ": cannot start its agent ("
              + failure.getMessage()
              + ")\n  command: "
              + command,
          failure);
    }
  }

  private TextSink complainingTo(TextSink screen, BooleanSupplier there) {
    return new TextSink() {
      @Override
      public void accept(byte[] bytes, int length) {
        complaints.accept(bytes, length);
        if (there.getAsBoolean()) {
          screen.accept(bytes, length);
        }
      }

      @Override
      public void end() {
        complaints.end();
        screen.end();
      }
    };
  }

  /** As a person could type it. */
  String command() {
    return command;
  }

  /** Takes frames to the agent. */
  AgentOutput orders() {
    return orders;
  }

  /** What the agent reports, frame by frame, once it speaks; a login shell may greet before. */
  DataInputStream reports() throws IOException {
    InputStream in = new BufferedInputStream(process.getInputStream());
    String magic = AgentFrame.MAGIC.substring(1);
    byte[] last = new byte[1];
    while (preamble.length() < AgentFrame.MAGIC.length() || !preamble.toString().endsWith(magic)) {
      if (in.read(last) < 0) {
        throw new IOException("no agent");
      }
      preamble.append(new String(last, StandardCharsets.ISO_8859_1));
    }
    return new DataInputStream(in);
  }

  /** How the command has ended, as the end of a sentence; waits a moment for that. */
  String howEnded() {
    try {
      if (!process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        return "its connection was cut";
      }
      errors.awaitEnd(PATIENCE_MS);
      return "its command " + ExitCode.describe(process.exitValue());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "its connection was cut";
    }
  }

  /** Says that the host is lost. */
  String lost(String why) {
    StringBuilder text = new StringBuilder("host ").append(host).append(" is lost: ").append(why);
    complaints.lastLines().forEach(line -> text.append("\n  | ").append(line));
    return text.toString();
  }

  /** Says that the agent has not come. */
  String notStarted(String why) {
    StringBuilder text = new StringBuilder("host ").append(host).append(" did not start: ");
    text.append(why).append("\n  command: ").append(shortened(command));
    preamble.toString().lines().forEach(line -> text.append("\n  | ").append(line));
    complaints.lastLines().forEach(line -> text.append("\n  | ").append(line));
    if (!advice.isEmpty()) {
      text.append("\n  ").append(advice);
    }
    return text.toString();
  }

  private static String shortened(String command) {
    return command.replaceAll("(-cp )([^: ']*):[^ ']*", "$1$2:...");
  }

  /** Ends the agent by ending its input, and the command if that does not help. */
  void end(Duration patience) throws InterruptedException {
    // the connection may be full and nobody read it: closing must not wait for that
    Thread closer = new Thread(this::closeInput, host + "-close");
    closer.setDaemon(true);
    closer.start();
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      cut();
    }
  }

  private void closeInput() {
    try {
      orders.drain(Duration.ofMillis(PATIENCE_MS));
      process.getOutputStream().close();
    } catch (IOException goneAlready) {
      return;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills the command. */
  void cut() {
    process.destroyForcibly();
  }

  /** Waits a moment until all that it has complained of is read. */
  void awaitComplaints() throws InterruptedException {
    errors.awaitEnd(PATIENCE_MS);
  }
}
