package io.tagfabric.cli;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.aeron.AeronSettings;
import io.tagfabric.provider.tcp.TcpSettings;
import io.tagfabric.report.JsonLine;
import io.tagfabric.report.Table;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * The network interfaces of this host, which of them are up, and at which the settings of the
 * providers tcp and aeron listen.
 *
 * @source README of ibv-conduit, GASNET_IBV_LIST_PORTS and GASNET_IBV_PORTS_VERBOSE
 */
final class InterfaceList {
  private final Interfaces interfaces;
  private final Settings settings;
  private IllegalArgumentException refusal;

  InterfaceList(Interfaces interfaces, Settings settings) {
    this.interfaces = interfaces;
    this.settings = settings;
  }

  /**
   * Prints a row for each interface.
   *
   * @throws IllegalArgumentException behind the rows, if the settings select none of them
   */
  void print(PrintWriter out, boolean json) {
    String host = settings.get(JobSettings.HOST);
    List<InetAddress> tcp = orNone(() -> TcpSettings.of(settings, host, "").addresses(interfaces));
    List<InetAddress> aeron = orNone(() -> List.of(AeronSettings.of(settings).address(interfaces)));
    Table table =
        new Table(
            out, "%-16s  %-4s  %-16s  %-16s  %s", "interface", "up", "tcp", "aeron", "addresses");
    for (Interfaces.Found each : interfaces.all()) {
      List<String> addresses = each.addresses().stream().map(InetAddress::getHostAddress).toList();
      String byTcp = at(each, tcp);
      String byAeron = at(each, aeron);
      if (json) {
        JsonLine line =
            new JsonLine()
                .put("interface", each.name())
                .put("up", each.up())
                .put("addresses", addresses);
        if (byTcp != null) {
          int rail = tcp.indexOf(listened(each, tcp));
          line.put("tcp", byTcp).put("rail", rail);
        }
        out.println(byAeron == null ? line : line.put("aeron", byAeron));
      } else {
        table.row(
            each.name(), each.up() ? "yes" : "no", byTcp, byAeron, String.join(" ", addresses));
      }
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  private List<InetAddress> orNone(Supplier<List<InetAddress>> listened) {
    try {
      return listened.get();
    } catch (IllegalArgumentException e) {
      refusal = refusal == null ? e : refusal;
      return List.of();
    }
  }

  private static String at(Interfaces.Found found, List<InetAddress> listened) {
    InetAddress there = listened(found, listened);
    return there == null ? null : there.getHostAddress();
  }

  /** Null if it listens there at no address. */
  private static InetAddress listened(Interfaces.Found found, List<InetAddress> listened) {
    return listened.stream()
        .filter(address -> found.up() && found.addresses().contains(address))
        .findFirst()
        .orElse(null);
  }
}
