package io.tagfabric.settings;

import static io.tagfabric.settings.Pair.read;
import static io.tagfabric.settings.Pair.seen;

import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.path.PathSettings;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.aeron.AeronProvider;
import io.tagfabric.provider.aeron.AeronSettings;
import io.tagfabric.provider.shm.ShmSettings;
import io.tagfabric.provider.tcp.TcpSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Keys of providers. */
final class ProviderRows {
  private ProviderRows() {}

  static List<Row> rows(Supplier<Path> directory) {
    List<Row> rows = new ArrayList<>();
    Provider.installed().forEach(provider -> rows.addAll(sizes(provider.name())));
    rows.addAll(shm(directory));
    rows.addAll(aeron());
    rows.addAll(tcp());
    rows.add(path("lmc", "1", PathSettings::count));
    rows.add(path("selection", "static-src", PathSettings::policy));
    rows.add(path("window", "4 KiB", PathSettings::windowBytes));
    return rows;
  }

  /** Of local they can be seen at work; the others take theirs from the same place. */
  private static List<Row> sizes(String provider) {
    return List.of(
        size(provider, "eager-limit", "4 KiB", SizeClasses::eagerLimitBytes),
        size(provider, "multi-eager-limit", "24 KiB", SizeClasses::multiEagerLimitBytes),
        size(provider, "rendezvous-window", "32 KiB", SizeClasses::windowBytes),
        size(provider, "rendezvous-windows", "1", SizeClasses::windows));
  }

  private static Row size(
      String provider, String key, String value, Function<SizeClasses, Object> look) {
    String full = "provider." + provider + "." + key;
    if (provider.equals("local") && key.equals("eager-limit")) {
      return Row.behaviour(
          full,
          value,
          seen(
              p -> {
                p.send(8 * 1024);
                return p.sent().eagerMessagesSent();
              }));
    }
    if (provider.equals("local") && key.equals("multi-eager-limit")) {
      return Row.behaviour(
          full,
          value,
          seen(
              p -> {
                p.send(40 * 1024);
                return p.sent().multiPacketMessagesSent();
              }));
    }
    return Row.value(
        full,
        value,
        seen(
            p -> {
              var flow = p.a().settings().flow();
              return look.apply(flow.sizesByProvider().getOrDefault(provider, flow.sizes()));
            }));
  }

  private static List<Row> shm(Supplier<Path> directory) {
    Function<String, Object> files =
        settings ->
            seen(pair -> bytesBelow(directory.get()))
                .apply(
                    settings
                        + "\ntagfabric.launch.directory = \""
                        + directory.get()
                        + "\"\ntagfabric.provider.use = [local, shm]");
    Function<String, Object> providers =
        settings ->
            seen(pair -> pair.a().address().providers().keySet().toString())
                .apply(settings + "\ntagfabric.launch.directory = \"" + directory.get() + "\"");
    return List.of(
        Row.behaviour("provider.use", "[shm, local]", providers),
        Row.behaviour("provider.shm.ring-size", "256 KiB", files),
        Row.behaviour("provider.shm.lanes", "2", files),
        Row.behaviour("provider.shm.lane-size", "128 KiB", files),
        Row.behaviour("provider.shm.slots", "2", files),
        shm("inline-limit", "1 KiB", ShmSettings::inlineBytes),
        Row.elsewhere("provider.shm.whole-lines", "ShmWireTest"),
        Row.elsewhere("provider.shm.place", "ShmPlacementTest"),
        Row.elsewhere("provider.shm.place-limit", "ShmPlacementTest"),
        shm("check-interval", "1 s", ShmSettings::checkNs),
        shm("repair-after", "2 s", ShmSettings::repairNs));
  }

  private static Row shm(String key, String value, Function<ShmSettings, Object> look) {
    return Row.value("provider.shm." + key, value, read(s -> look.apply(ShmSettings.of(s))));
  }

  private static long bytesBelow(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Row> aeron() {
    return List.of(
        aeron("host", "localhost", AeronSettings::host),
        Row.behaviour(
            "aeron.interfaces",
            "[none0]",
            read(
                s ->
                    new AeronProvider()
                        .unavailableBecause(
                            new WireContext(
                                s,
                                Optional.empty(),
                                null,
                                null,
                                1,
                                0,
                                "vm",
                                null,
                                null,
                                null,
                                1)))),
        aeron("port", "4711", AeronSettings::port),
        aeron("mtu", "1408", AeronSettings::mtuBytes),
        aeron("term-length", "2 MiB", AeronSettings::termBytes),
        aeron("receive-window", "128 KiB", AeronSettings::windowBytes),
        aeron("socket-buffer", "1 MiB", AeronSettings::socketBufferBytes),
        aeron("stream-timeout", "5 s", AeronSettings::streamTimeoutNs));
  }

  private static Row aeron(String key, String value, Function<AeronSettings, Object> look) {
    return Row.value("aeron." + key, value, read(s -> look.apply(AeronSettings.of(s))));
  }

  private static List<Row> tcp() {
    return List.of(
        tcp("host", "localhost", TcpSettings::host),
        tcp("interfaces", "[eth0]", TcpSettings::interfaces),
        tcp("ports", "25600-25699", settings -> settings.ports().toString()),
        tcp("canonical-host", "203.0.113.7", TcpSettings::toldHost),
        tcp("canonical-port", "4711", TcpSettings::toldPort),
        tcp("dscp", "46", TcpSettings::dscp),
        tcp("dial", "never", TcpSettings::dial),
        tcp("dial-timeout", "1 s", TcpSettings::dialTimeoutNs),
        tcp("dial-retry", "5 s", TcpSettings::retryNs),
        tcp("resume", "1 s", TcpSettings::resumeNs));
  }

  private static Row tcp(String key, String value, Function<TcpSettings, Object> look) {
    return Row.value("tcp." + key, value, read(s -> look.apply(TcpSettings.of(s, "here", ""))));
  }

  private static Row path(String key, String value, Function<PathSettings, Object> look) {
    return Row.value("path." + key, value, read(s -> look.apply(PathSettings.of(s))));
  }
}
