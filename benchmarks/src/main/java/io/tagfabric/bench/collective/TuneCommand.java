package io.tagfabric.bench.collective;

import io.tagfabric.bench.ours.RankJob;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.launch.output.LineStream;
import io.tagfabric.report.Sizes;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric tune}: measures the algorithms of collectives and writes a decision table. */
@Command(
    name = "tune",
    description = "Measure which algorithms of collectives are fastest here, and write a table.",
    footer = {
      "",
      "The table is a setting, tagfabric.collective.table, in a file of HOCON.",
      "Include it in application.conf, or name it: tagfabric run --jvm-opts",
      "-Dconfig.file=FILE. It holds for collectives of messages; calls in a cell or",
      "in shared memory choose nothing."
    })
public final class TuneCommand implements Callable<Integer> {
  private static final int MOST_RANKS = 64;
  private static final int MOST_PASSES = 100;
  private static final Pattern LINE =
      Pattern.compile(".*" + TuneRank.CELL + " (\\S+) (\\S+) (\\d+) (\\S+)\\s*");

  @Option(
      names = {"-n", "--ranks"},
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      defaultValue = "2,4",
      description = "Team sizes (default: ${DEFAULT-VALUE}).")
  private List<Integer> ranks;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      defaultValue = "8,1k,16k,64k,256k,1m",
      description = "Bytes, also powers of two such as 8..1m (default: ${DEFAULT-VALUE}).")
  private String sizes;

  @Option(
      names = "--ops",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Which collectives (default: all that have a choice).")
  private List<String> collectives;

  @Option(
      names = "--passes",
      paramLabel = "K",
      defaultValue = "3",
      description = "How often all is measured; the best counts (default: ${DEFAULT-VALUE}).")
  private int passes;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "tagfabric-tuned.conf",
      description = "Where to write the table (default: ${DEFAULT-VALUE}).")
  private Path output;

  @Spec private CommandSpec spec;

  private final TuneTable table = new TuneTable();
  private int done;
  private int all;

  @Override
  public Integer call() {
    List<String> known = TuneRank.choices().stream().map(Collective::key).toList();
    List<String> asked = collectives == null ? known : collectives;
    for (String each : asked) {
      require(
          known.contains(each),
          "--ops=" + each + " is none of " + String.join(", ", known) + ", which have a choice");
    }
    for (int each : ranks) {
      require(each >= 2 && each <= MOST_RANKS, "--ranks=" + each + " is not within 2 to 64");
    }
    require(passes >= 1 && passes <= MOST_PASSES, "--passes=" + passes + " is not within 1 to 100");
    int cells = TuneRank.algorithms(asked).size() * sizes().size();
    all = cells * ranks.size() * passes;
    for (int size : ranks) {
      int code =
          RankJob.run(
              size,
              TuneRank.class.getName(),
              List.of(String.join(",", asked), sizes, Integer.toString(passes)),
              Profile.TCP,
              Optional.empty(),
              new LineStream(line -> note(size, line)),
              new FileOutputStream(FileDescriptor.err));
      if (code != ExitCode.OK) {
        return code;
      }
    }
    return write();
  }

  private List<Integer> sizes() {
    try {
      return Sizes.parse(sizes);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), "--sizes: " + wrong.getMessage(), wrong);
    }
  }

  private void require(boolean holds, String complaint) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
  }

  private void note(int size, String line) {
    Matcher cell = LINE.matcher(line);
    if (!cell.matches()) {
      return;
    }
    String collective = cell.group(1);
    String algorithm = cell.group(2);
    int bytes = Integer.parseInt(cell.group(3));
    double us = Double.parseDouble(cell.group(4));
    table.add(collective, size, bytes, algorithm, us);
    done++;
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%d of %d: %s of %d ranks, %d bytes, %s: %.1f us%n",
        done,
        all,
        collective,
        size,
        bytes,
        algorithm,
        us);
    out.flush();
  }

  private int write() {
    String rules =
        table.rules().stream().map(rule -> "  \"" + rule + "\"\n").collect(Collectors.joining());
    String text =
        "# Which algorithm a collective takes: collective, ranks up to, bytes up to, algorithm.\n"
            + "# Measured by: tagfabric tune --ranks "
            + ranks.stream().map(String::valueOf).collect(Collectors.joining(","))
            + " --sizes "
            + sizes
            + "\ntagfabric.collective.table = [\n"
            + rules
            + "]\n";
    try {
      Files.writeString(output, text);
    } catch (IOException failure) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("cannot write " + output + " (" + failure.getMessage() + "), name another file");
      return ExitCode.FAILED;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.println("written to " + output);
    out.flush();
    return ExitCode.OK;
  }
}
