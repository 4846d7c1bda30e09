package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Runs a job in a Java of its own and prints its samples. No person starts it. */
final class JobMain {
  /** Instead of namespaces. */
  private static final String HERE = "-";

  /** After its job has ended, it has so long. */
  static final Duration END_TIME = Duration.ofSeconds(15);

  private JobMain() {}

  /** What it runs, as words on its command line. */
  record Call(
      String mainClass,
      Profile profile,
      Duration patience,
      Optional<Namespaces> namespaces,
      List<String> arguments,
      Workload workload) {
    static Call of(JobContender job, Workload workload, Duration patience) {
      return new Call(
          job.mainClass(),
          job.profile(),
          patience,
          job.namespaces(),
          job.arguments().get(),
          workload);
    }

    List<String> toWords() {
      List<String> words = new ArrayList<>();
      words.addAll(List.of(mainClass, profile.name(), Long.toString(patience.toMillis())));
      words.add(namespaces.map(Namespaces::toWord).orElse(HERE));
      words.add(Integer.toString(arguments.size()));
      words.addAll(arguments);
      words.addAll(workload.toWords());
      return words;
    }

    static Call parse(List<String> words) {
      int workload = 5 + Integer.parseInt(words.get(4));
      return new Call(
          words.get(0),
          Profile.valueOf(words.get(1)),
          Duration.ofMillis(Long.parseLong(words.get(2))),
          Optional.of(words.get(3)).filter(word -> !word.equals(HERE)).map(Namespaces::parse),
          List.copyOf(words.subList(5, workload)),
          Workload.parse(words.subList(workload, words.size())));
    }
  }

  /**
   * @param args as {@link Call} writes them
   */
  public static void main(String[] args) {
    int code = ExitCode.OK;
    try {
      for (Sample sample : JobContender.play(Call.parse(Arrays.asList(args)))) {
        System.out.println(sample.toLine());
      }
    } catch (ContenderException failure) {
      System.err.println(failure.getMessage());
      code = ExitCode.FAILED;
    }
    System.exit(code);
  }
}
