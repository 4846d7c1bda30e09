package io.tagfabric.trials.fabtests;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.job.Job;
import io.tagfabric.job.JobOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program of the two ranks that {@link PairOfJvms} starts: runs scenarios one after the other
 * and says how each ends, until one fails.
 */
final class FabtestRank {
  static final String PORT = "fabtests: port ";
  static final String BEGINS = "fabtests: begins ";
  static final String PASSES = "fabtests: passes ";
  static final String FAILS = "fabtests: fails ";

  private FabtestRank() {}

  /**
   * Runs as a rank.
   *
   * @param args the provider, seconds a scenario may take, pieces that scenarios of pieces move,
   *     and the names of scenarios
   */
  public static void main(String[] args) {
    say(PORT + Settings.of(ConfigFactory.load()).get(JobSettings.PORT));
    List<String> names = Arrays.asList(args).subList(3, args.length);
    Job.run(
        JobOptions.defaults().withProviders(args[0]),
        args,
        job -> {
          Side side =
              new Side(job.rank(), job.domain(), job.endpoint(), job.peer(1 - job.rank()), job);
          side.slices(Long.parseLong(args[2]));
          return run(job, side, Duration.ofSeconds(Long.parseLong(args[1])), names);
        });
  }

  private static int run(Job job, Side side, Duration limit, List<String> names)
      throws InterruptedException {
    for (String name : names) {
      Scenario scenario = Catalogue.find(name).orElseThrow();
      say(BEGINS + name);
      Throwable[] failure = new Throwable[1];
      Thread runner =
          new Thread(
              () -> {
                try {
                  side.run(scenario, limit);
                } catch (Throwable wrong) { // an Error of a scenario is one of its ends too
                  failure[0] = wrong;
                }
              },
              "fabtests");
      runner.setDaemon(true);
      runner.start();
      runner.join(limit.toMillis() + TimeUnit.SECONDS.toMillis(1));
      if (runner.isAlive()) {
        say(FAILS + name + " no end within " + limit.toSeconds() + " s");
        return 1;
      }
      if (failure[0] != null) {
        say(FAILS + name + " " + PairHere.text(failure[0]));
        return 1;
      }
      say(PASSES + name);
    }
    job.barrier();
    return 0;
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
