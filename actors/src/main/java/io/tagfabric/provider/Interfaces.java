package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Setting;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The network interfaces of a host, and which of them a list of selectors means. A selector is the
 * name of an interface, an address, or the addresses that begin with the same bits, as {@code
 * eth0}, {@code 10.1.0.7} or {@code 10.1.0.0/16}. Where one is wanted, the first that matches
 * decides.
 *
 * @source libfabric fi_opx(7), FI_OPX_HFI_SELECT
 */
@InternalApi
public final class Interfaces {
  private static final Path SYSTEM_LIST = Path.of("/sys/class/net");
  private static final int IFF_UP = 1;
  private static final Pattern IP_4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IP_6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  /**
   * One interface.
   *
   * @param name as the operating system has it
   * @param up whether it carries anything
   * @param addresses those that peers can be told, IPv4 first
   */
  public record Found(String name, boolean up, List<InetAddress> addresses) {
    public Found {
      addresses = List.copyOf(addresses);
    }

    @Override
    public String toString() {
      String texts =
          addresses.isEmpty()
              ? "no address"
              : addresses.stream()
                  .map(InetAddress::getHostAddress)
                  .collect(Collectors.joining(" "));
      return name + " (" + (up ? "" : "down, ") + texts + ")";
    }
  }

  private final List<Found> all;

  /** These and no others; in the order in which they are looked through. */
  public Interfaces(List<Found> all) {
    this.all = List.copyOf(all);
  }

  /** Those of this host. */
  public static Interfaces ofThisHost() {
    Map<String, Found> all = new TreeMap<>();
    addWithoutAddresses(all);
    try {
      for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
        // An IPv6 address of one link means nothing without the name of the link.
        List<InetAddress> addresses =
            each.inetAddresses()
                .filter(address -> address instanceof Inet4Address || !address.isLinkLocalAddress())
                .map(Interfaces::withoutScope)
                .sorted(Comparator.comparing(address -> address instanceof Inet4Address ? 0 : 1))
                .toList();
        all.put(each.getName(), new Found(each.getName(), each.isUp(), addresses));
      }
    } catch (SocketException e) {
      throw new IllegalArgumentException("the interfaces of this host cannot be listed", e);
    }
    return new Interfaces(List.copyOf(all.values()));
  }

  /** All of them, by name. */
  public List<Found> all() {
    return all;
  }

  /** Java lists only interfaces that have addresses; one that is down may have none. */
  private static void addWithoutAddresses(Map<String, Found> all) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(SYSTEM_LIST)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        all.put(name, new Found(name, isUp(entry), List.of()));
      }
    } catch (IOException notLinux) {
      // Those with addresses are known all the same.
      all.clear();
    }
  }

  private static boolean isUp(Path entry) throws IOException {
    Path flags = entry.resolve("flags");
    return Files.exists(flags) && (Integer.decode(Files.readString(flags).strip()) & IFF_UP) != 0;
  }

  private static InetAddress withoutScope(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + address.getAddress().length, e);
    }
  }

  /**
   * The address that selectors mean.
   *
   * @param setting the setting that holds them, for error messages
   * @throws IllegalArgumentException if none of them matches, the one that does is of an interface
   *     that is down or has no address, or one is no selector; the text lists the interfaces
   */
  public InetAddress choose(Setting<?> setting, List<String> selectors) {
    try {
      return choose(selectors);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(setting.fullKey() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The addresses that selectors mean: one of each that matches, in their order.
   *
   * @param setting the setting that holds them, for error messages
   * @throws IllegalArgumentException as {@link #choose(Setting, List)}
   */
  public List<InetAddress> chooseAll(Setting<?> setting, List<String> selectors) {
    try {
      return chooseUpTo(Integer.MAX_VALUE, selectors);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(setting.fullKey() + ": " + e.getMessage(), e);
    }
  }

  private InetAddress choose(List<String> selectors) {
    return chooseUpTo(1, selectors).get(0);
  }

  private List<InetAddress> chooseUpTo(int most, List<String> selectors) {
    List<Predicate<InetAddress>> addresses = selectors.stream().map(this::parse).toList();
    Set<InetAddress> chosen = new LinkedHashSet<>();
    for (int i = 0; i < selectors.size() && chosen.size() < most; i++) {
      String selector = selectors.get(i);
      Predicate<InetAddress> wanted = addresses.get(i);
      List<Found> matching =
          all.stream()
              .filter(
                  each ->
                      wanted == null
                          ? each.name().equals(selector)
                          : each.addresses().stream().anyMatch(wanted))
              .toList();
      if (!matching.isEmpty()) {
        chosen.add(addressOf(selector, matching, wanted == null ? any -> true : wanted));
      }
    }
    if (chosen.isEmpty()) {
      throw refusal("no interface of this host matches " + selectors);
    }
    return List.copyOf(chosen);
  }

  private InetAddress addressOf(
      String selector, List<Found> matching, Predicate<InetAddress> wanted) {
    return matching.stream()
        .filter(Found::up)
        .flatMap(each -> each.addresses().stream())
        .filter(wanted)
        .findFirst()
        .orElseThrow(
            () ->
                refusal(
                    "the interface that ["
                        + selector
                        + "] selects is down or has no address: "
                        + matching));
  }

  private IllegalArgumentException refusal(String why) {
    return new IllegalArgumentException(why + "; there are " + all);
  }

  /** Which addresses a selector means; null if it names an interface. */
  private Predicate<InetAddress> parse(String selector) {
    int slash = selector.indexOf('/');
    if (slash >= 0) {
      byte[] prefix = numeric(selector.substring(0, slash));
      int bits = bits(selector.substring(slash + 1));
      if (prefix == null || bits < 0 || bits > 8 * prefix.length) {
        throw refusal("[" + selector + "] is no address/bits such as 10.1.0.0/16");
      }
      return address -> beginsWith(address.getAddress(), prefix, bits);
    }
    byte[] whole = numeric(selector);
    return whole == null
        ? null
        : address -> beginsWith(address.getAddress(), whole, 8 * whole.length);
  }

  private static int bits(String text) {
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
  }

  /** The bytes of an address in numbers, null for anything else; never asks a name server. */
  private static byte[] numeric(String text) {
    try {
      if (IP_4.matcher(text).matches()) {
        byte[] bytes = new byte[4];
        String[] parts = text.split("\\.");
        for (int i = 0; i < bytes.length; i++) {
          int part = Integer.parseInt(parts[i]);
          if (part > 255) {
            return null;
          }
          bytes[i] = (byte) part;
        }
        return bytes;
      }
      // Within brackets it takes numbers only.
      return IP_6.matcher(text).matches()
          ? InetAddress.getByName("[" + text + "]").getAddress()
          : null;
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static boolean beginsWith(byte[] address, byte[] prefix, int bits) {
    if (address.length != prefix.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> (bit % 8);
      if (((address[bit / 8] ^ prefix[bit / 8]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
