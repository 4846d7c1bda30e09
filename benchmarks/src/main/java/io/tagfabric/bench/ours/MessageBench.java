package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.report.Report;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;

/** Measures messages where the options say: in this JVM, or between two ranks that it starts. */
public final class MessageBench {
  private final TransferKind kind;
  private final MessageOptions options;

  public MessageBench(TransferKind kind, MessageOptions options) {
    this.kind = kind;
    this.options = options;
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public int start(CommandLine command) {
    return options.start(command, kind.toString(), () -> measureHere(command.getOut()));
  }

  private void measureHere(PrintWriter out) {
    if (options.contexts() != null) {
      options
          .sizes(kind)
          .forEach(
              bytes ->
                  new ContextsBench(options.contexts(), bytes, options.runs(), options.json)
                      .measure(out));
      return;
    }
    Report report = options.report(out, kind);
    try (LocalPair pair = new LocalPair(options, options.threads)) {
      List<Subject> subjects =
          List.of(new LocalSubject(pair, kind, options.threads, options.window()));
      options.sizes(kind).forEach(bytes -> options.runs(kind).measure(subjects, bytes, report));
    }
  }

  /** What rank 0 does. */
  void measure(RankPair pair, PrintWriter out) {
    Report report = options.report(out, kind);
    Subject ours = pair.ours(kind, options.window());
    List<Subject> subjects =
        options.way() != Way.PLAIN
            ? pair.otherWay(kind, options.window(), ours)
            : options.versus == null
                ? List.of(ours)
                : List.of(ours, pair.akka(kind, options.window()));
    options.sizes(kind).forEach(bytes -> options.runs(kind).measure(subjects, bytes, report));
  }
}
