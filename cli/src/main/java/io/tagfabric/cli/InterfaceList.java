package io.tagfabric.cli;

import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.aeron.AeronSettings;
import io.tagfabric.report.JsonLine;
import io.tagfabric.report.Table;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.List;

/**
 * The network interfaces of this host, which of them are up, and at which the settings of the
 * provider aeron listen.
 *
 * @source README of ibv-conduit, GASNET_IBV_LIST_PORTS and GASNET_IBV_PORTS_VERBOSE
 */
final class InterfaceList {
  private final Interfaces interfaces;
  private final AeronSettings settings;

  InterfaceList(Interfaces interfaces, Settings settings) {
    this.interfaces = interfaces;
    this.settings = AeronSettings.of(settings);
  }

  /**
   * Prints a row for each interface.
   *
   * @throws IllegalArgumentException behind the rows, if the settings select none of them
   */
  void print(PrintWriter out, boolean json) {
    IllegalArgumentException refusal = null;
    InetAddress selected = null;
    try {
      selected = settings.address(interfaces);
    } catch (IllegalArgumentException e) {
      refusal = e;
    }
    Table table =
        new Table(out, "%-16s  %-4s  %-16s  %s", "interface", "up", "listens", "addresses");
    for (Interfaces.Found each : interfaces.all()) {
      String listens =
          selected != null && each.up() && each.addresses().contains(selected)
              ? selected.getHostAddress()
              : null;
      List<String> addresses = each.addresses().stream().map(InetAddress::getHostAddress).toList();
      if (json) {
        JsonLine line =
            new JsonLine()
                .put("interface", each.name())
                .put("up", each.up())
                .put("addresses", addresses);
        out.println(listens == null ? line : line.put("listens", listens));
      } else {
        table.row(each.name(), each.up() ? "yes" : "no", listens, String.join(" ", addresses));
      }
    }
    if (refusal != null) {
      throw refusal;
    }
  }
}
