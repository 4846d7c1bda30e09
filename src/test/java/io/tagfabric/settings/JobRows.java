package io.tagfabric.settings;

import static io.tagfabric.settings.Pair.read;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.Profiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Keys of jobs, of their end, and of the launcher. */
final class JobRows {
  private static final String KEY = "11111111-2222-3333-4444-555555555555";
  private static final String TWO_RANKS =
      "tagfabric.job { size = 2, seed-port = 4000, key = \"" + KEY + "\" }";

  private JobRows() {}

  static List<Row> rows(Supplier<Path> directory) {
    List<Row> rows = new ArrayList<>();
    rows.addAll(job());
    rows.addAll(exit());
    rows.addAll(tls(directory));
    rows.addAll(
        List.of(
            Row.elsewhere("connect.static", "JobConnectionsTest"),
            Row.elsewhere("connect.dynamic", "JobConnectionsTest"),
            Row.elsewhere("connect.file-in", "JobConnectionsTest"),
            Row.elsewhere("connect.file-out", "JobConnectionsTest"),
            Row.elsewhere("connect.file-base", "JobConnectionsTest"),
            Row.elsewhere("launch.directory", "FabricMemoryTest"),
            Row.elsewhere("launch.max-ranks", "JobLauncherTest"),
            Row.elsewhere("launch.failure-grace", "JobLauncherTest"),
            Row.elsewhere("launch.exit-grace", "JobLauncherTest"),
            Row.elsewhere("launch.terminate-grace", "JobLauncherTest"),
            Row.elsewhere("launch.spawner", "HostArgumentsTest"),
            Row.elsewhere("launch.ssh", "HostArgumentsTest"),
            Row.elsewhere("launch.host-start-timeout", "HostLaunchTest"),
            Row.elsewhere("launch.host-timeout", "HostLaunchTest")));
    return rows;
  }

  private static Row job(String key, String value, Function<JobSpec, Object> look) {
    return Row.value("job." + key, value, read(s -> look.apply(JobSpec.fromSettings(s))));
  }

  private static List<Row> job() {
    return List.of(
        job("key", "\"" + KEY + "\"", JobSpec::jobKey),
        job("rank", "1", JobSpec::rank).with(TWO_RANKS),
        job("size", "3", JobSpec::size).with(TWO_RANKS),
        job("host", "localhost", JobSpec::host),
        job("port", "4001", JobSpec::port),
        job("seed-host", "localhost", JobSpec::seedHost),
        job("seed-port", "4002", JobSpec::seedPort),
        job("launcher-pid", "17", JobSpec::launcherPid),
        job("aeron-directory", "\"/somewhere\"", JobSpec::aeronDirectory),
        job("profile", "tcp", JobSpec::profile),
        Row.value("job.leave-timeout", "1 s", read(settings -> ExitSettings.longest(settings, 4))),
        Row.value("job.debug", "on", read(settings -> settings.get(JobSettings.DEBUG))),
        Row.elsewhere("job.freeze", "FreezeTest"),
        Row.elsewhere("job.locality", "CollectiveRunTest"),
        Row.elsewhere("job.host-directory", "HostDirectoryTest"),
        Row.elsewhere("job.start-timeout", "JobLifeTest"));
  }

  private static Row exit(String key, String value) {
    return Row.value("exit." + key, value, read(settings -> ExitSettings.longest(settings, 4)));
  }

  private static List<Row> exit() {
    return List.of(
        exit("timeout", "1 s"),
        exit("timeout-max", "1 s"),
        exit("timeout-min", "7 s"),
        exit("timeout-factor", "2 s"),
        exit("hook-timeout", "7 s"),
        Row.value("exit.code", "first", read(settings -> settings.get(ExitSettings.CODE))),
        Row.value("exit.on-loss", "continue", read(settings -> settings.get(ExitSettings.ON_LOSS))),
        Row.elsewhere("exit.hold-phase", "HitDuringExitTest"),
        Row.elsewhere("exit.hold-time", "HitDuringExitTest"));
  }

  private static List<Row> tls(Supplier<Path> directory) {
    return List.of(
        tls(directory, "key-store", "keys-2"),
        tls(directory, "key-store-password", "secret"),
        tls(directory, "trust-store", "trust-2"),
        tls(directory, "trust-store-password", "secret"),
        Row.elsewhere("tls.allow-plain", "PlainTextTest"));
  }

  /** What Akka is given; values that name a file name one below the directory. */
  private static Row tls(Supplier<Path> directory, String key, String value) {
    String engine = "akka.remote.artery.ssl.config-ssl-engine";
    Function<String, Object> akka =
        settings -> {
          String own = "tagfabric.tls { key-store = keys, trust-store = trust }\n" + settings;
          Config named = ConfigFactory.parseString(own);
          for (String store : List.of("key-store", "trust-store")) {
            String path = "tagfabric.tls." + store;
            Path file = directory.get().resolve(named.getString(path));
            create(file);
            own += "\n" + path + " = \"" + file + "\"";
          }
          return Profiles.akkaConfig(JobSpec.alone(Profile.TLS), ConfigFactory.parseString(own))
              .getConfig(engine)
              .root()
              .unwrapped();
        };
    return Row.value("tls." + key, value, akka);
  }

  private static void create(Path file) {
    try {
      if (!Files.exists(file)) {
        Files.createFile(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
