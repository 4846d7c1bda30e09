package io.tagfabric.demos;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.job.Job;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Every rank prints numbered lines as fast as they are taken, so that lost, doubled or mixed output
 * shows.
 *
 * <p>Run it: {@code tagfabric run -n 2 chatter --lines 100000 | wc -l}
 */
@Command(name = "chatter", description = "Every rank prints numbered lines.")
public final class Chatter extends HelpOption {
  private static final int LONGEST_BYTES = 1 << 30;

  @Option(
      names = "--lines",
      paramLabel = "N",
      defaultValue = "10",
      description = "Lines of each rank (default: ${DEFAULT-VALUE}).")
  private long lines;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Bytes of a line with its end, filled up with dots; a line is never shorter than what it"
              + " says (default: ${DEFAULT-VALUE}).")
  private int bytes;

  @Option(names = "--errors", description = "Print to the error stream.")
  private boolean errors;

  Chatter() {}

  public static void main(String[] args) {
    Chatter chatter = new Chatter();
    Arguments.parse(chatter, args, size -> chatter.complaint());
    Job.run(args, chatter::run);
  }

  String complaint() {
    if (lines < 0) {
      return "--lines must be at least 0";
    }
    return bytes < 0 || bytes > LONGEST_BYTES
        ? "--bytes must be at least 0 and at most " + LONGEST_BYTES
        : null;
  }

  private int run(Job job) {
    PrintStream stream = errors ? System.err : System.out;
    boolean printed = print(job.rank(), stream);
    return printed ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Prints all lines; whether all were taken. */
  boolean print(int rank, PrintStream stream) {
    PrintStream out = new PrintStream(new BufferedOutputStream(stream), false, UTF_8);
    for (long line = 1; line <= lines; line++) {
      byte[] text = ("line " + line + " of " + lines + " from rank " + rank).getBytes(UTF_8);
      byte[] filled = Arrays.copyOf(text, Math.max(text.length + 1, bytes));
      Arrays.fill(filled, text.length, filled.length - 1, (byte) '.');
      filled[filled.length - 1] = '\n';
      out.write(filled, 0, filled.length);
    }
    out.flush();
    return !out.checkError() && !stream.checkError();
  }
}
