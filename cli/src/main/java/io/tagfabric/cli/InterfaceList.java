package io.tagfabric.cli;

import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.Provider;
import io.tagfabric.report.JsonLine;
import io.tagfabric.report.Table;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The network interfaces of this host, which of them are up, and at which providers listen with
 * these settings.
 *
 * @source README of ibv-conduit, GASNET_IBV_LIST_PORTS and GASNET_IBV_PORTS_VERBOSE
 */
final class InterfaceList {
  private final Interfaces interfaces;
  private final Settings settings;

  InterfaceList(Interfaces interfaces, Settings settings) {
    this.interfaces = interfaces;
    this.settings = settings;
  }

  /**
   * Prints a row for each interface.
   *
   * @throws IllegalArgumentException behind the rows, if the settings of a provider select none of
   *     them
   */
  void print(PrintWriter out, boolean json) {
    IllegalArgumentException refusal = null;
    Map<String, List<InetAddress>> listened = new LinkedHashMap<>();
    for (Provider provider : Provider.installed()) {
      try {
        List<InetAddress> at = provider.listensAt(settings, interfaces);
        if (!at.isEmpty()) {
          listened.put(provider.name(), at);
        }
      } catch (IllegalArgumentException e) {
        refusal = e;
        listened.put(provider.name(), List.of());
      }
    }
    if (json) {
      interfaces.all().forEach(each -> out.println(line(each, listened)));
    } else {
      print(out, listened);
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  private void print(PrintWriter out, Map<String, List<InetAddress>> listened) {
    List<String> titles = new ArrayList<>(List.of("interface", "up"));
    titles.addAll(listened.keySet());
    titles.add("addresses");
    String columns = "  %-24s".repeat(listened.size());
    Table table = new Table(out, "%-16s  %-4s" + columns + "  %s", titles.toArray(String[]::new));
    for (Interfaces.Found each : interfaces.all()) {
      List<Object> cells = new ArrayList<>(List.of(each.name(), each.up() ? "yes" : "no"));
      for (List<InetAddress> rails : listened.values()) {
        int rail = railAt(each, rails);
        String address = rail < 0 ? null : rails.get(rail).getHostAddress();
        cells.add(rail < 0 || rails.size() == 1 ? address : address + " (rail " + rail + ")");
      }
      cells.add(String.join(" ", addresses(each)));
      table.row(cells.toArray());
    }
  }

  private static JsonLine line(Interfaces.Found found, Map<String, List<InetAddress>> listened) {
    JsonLine line =
        new JsonLine()
            .put("interface", found.name())
            .put("up", found.up())
            .put("addresses", addresses(found));
    listened.forEach(
        (provider, rails) -> {
          int rail = railAt(found, rails);
          if (rail >= 0) {
            line.put(provider, rails.get(rail).getHostAddress()).put(provider + "_rail", rail);
          }
        });
    return line;
  }

  private static List<String> addresses(Interfaces.Found found) {
    return found.addresses().stream().map(InetAddress::getHostAddress).toList();
  }

  /** The first that is an address of the interface, negative if none is. */
  private static int railAt(Interfaces.Found found, List<InetAddress> rails) {
    for (int i = 0; i < rails.size(); i++) {
      if (found.up() && found.addresses().contains(rails.get(i))) {
        return i;
      }
    }
    return -1;
  }
}
