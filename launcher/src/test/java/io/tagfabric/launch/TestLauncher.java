package io.tagfabric.launch;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.hosts.HostList;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.hosts.Placement;
import io.tagfabric.launch.hosts.Spawner;
import io.tagfabric.launch.output.StandardStream;
import java.util.List;
import java.util.Optional;

/** The launcher as a process of its own, for tests that signal it. */
final class TestLauncher {
  private TestLauncher() {}

  public static void main(String[] args) {
    JobLauncher launcher =
        new JobLauncher(
            Settings.of(ConfigFactory.load()),
            System.getenv(),
            StandardStream.output(),
            StandardStream.errors());
    LocalJob job =
        new LocalJob(
            Integer.parseInt(args[0]),
            TestRank.class.getName(),
            List.of(args).subList(2, args.length),
            Profile.valueOf(args[1]),
            List.of("-XX:TieredStopAtLevel=1"),
            Optional.empty(),
            false,
            options());
    System.exit(launcher.run(job));
  }

  /** With the hosts that a property names. */
  private static LaunchOptions options() {
    LaunchOptions usual = LaunchOptions.defaults();
    return new LaunchOptions(
        usual.onLoss(),
        usual.exports(),
        usual.rankVariables(),
        usual.outputDirectory(),
        usual.tagged(),
        usual.input(),
        usual.debugRank(),
        usual.keep(),
        usual.dryRun(),
        Optional.ofNullable(System.getProperty("test.hosts"))
            .map(HostList::ofOption)
            .map(hosts -> new HostPlan(hosts, Placement.BLOCK, new Spawner.Local()).resolved()));
  }
}
