package io.tagfabric.launch.hosts;

import io.tagfabric.cluster.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads lists of hosts.
 *
 * <pre>{@code
 * file   = { line newline } ;
 * line   = [ host { blank option } ] [ "#" anything ] ;
 * option = "slots=" number | "address=" address ;
 * host   = [ user "@" ] name ;
 * list   = host [ ":" number ] { "," host [ ":" number ] } ;
 * }</pre>
 *
 * <p>A host stands once. Either all hosts give their slots or none does. An IPv6 address in a list
 * stands in brackets.
 */
public final class HostList {
  private static final Pattern NAME =
      Pattern.compile(
          "(?:[A-Za-z0-9_.][A-Za-z0-9_.-]*@)?"
              + "(?:[A-Za-z0-9_][A-Za-z0-9_.-]*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9_.-]+)?)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");
  private static final int MOST_LOOPBACK = 250;

  private final Map<String, Host> hosts = new LinkedHashMap<>();
  private final String source;
  private String slotsKnownAt;
  private String slotsUnknownAt;

  private HostList(String source) {
    this.source = source;
  }

  /**
   * The hosts of a file.
   *
   * @throws SettingsException that names file, line and what is wrong there
   */
  public static List<Host> ofFile(Path file) {
    try {
      return ofLines(file.toString(), Files.readAllLines(file));
    } catch (IOException failure) {
      throw new SettingsException(
          "--hostfile", "--hostfile: cannot read " + file + " (" + reason(failure) + ")");
    }
  }

  /** The hosts of the lines of a file. */
  static List<Host> ofLines(String file, List<String> lines) {
    HostList list = new HostList("--hostfile");
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int comment = line.indexOf('#');
      String text = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (!text.isEmpty()) {
        list.addLine(file + ":" + (i + 1), text.split("\\s+", -1));
      }
    }
    return list.result(file);
  }

  /**
   * The hosts of a list such as {@code node1:4,node2:4}.
   *
   * @throws SettingsException that names what is wrong
   */
  public static List<Host> ofOption(String text) {
    HostList list = new HostList("--hosts");
    for (String word : text.split(",", -1)) {
      list.addWord("--hosts=" + text, word.strip());
    }
    return list.result("--hosts=" + text);
  }

  /**
   * Addresses of the loopback interface that stand for so many hosts: 127.0.0.1, 127.0.0.2, ...
   *
   * @throws SettingsException if there are not so many
   */
  public static List<Host> loopback(int count) {
    if (count > MOST_LOOPBACK) {
      throw new SettingsException(
          "-N", "-N: hosts=" + count + " > " + MOST_LOOPBACK + ", name them by --hosts");
    }
    List<Host> hosts = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      hosts.add(Host.named("127.0.0." + i));
    }
    return List.copyOf(hosts);
  }

  private void addLine(String place, String[] words) {
    String address = "";
    OptionalInt slots = OptionalInt.empty();
    for (int i = 1; i < words.length; i++) {
      String word = words[i];
      String value = word.substring(word.indexOf('=') + 1);
      if (word.startsWith("slots=") && slots.isEmpty()) {
        slots = OptionalInt.of(slots(place, value));
      } else if (word.startsWith("address=") && address.isEmpty() && !value.isEmpty()) {
        address = value;
      } else {
        throw refused(
            place, "'" + word + "' is no option, write slots=NUMBER or address=ADDRESS, each once");
      }
    }
    add(place, new Host(words[0], address, slots));
  }

  private void addWord(String place, String word) {
    int colon = word.lastIndexOf(':');
    boolean bracketed = word.startsWith("[") && word.indexOf(']') > 0;
    boolean hasSlots = colon > (bracketed ? word.indexOf(']') : 0);
    if (hasSlots && !bracketed && word.indexOf(':') != colon) {
      throw refused(place, "'" + word + "': write an IPv6 address in brackets");
    }
    String name = hasSlots ? word.substring(0, colon) : word;
    OptionalInt slots =
        hasSlots ? OptionalInt.of(slots(place, word.substring(colon + 1))) : OptionalInt.empty();
    add(place, new Host(bracketed ? name.substring(1, name.length() - 1) : name, "", slots));
  }

  private int slots(String place, String text) {
    int slots = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    if (slots < 1) {
      throw refused(place, "slots=" + text + " is no number of ranks from 1");
    }
    return slots;
  }

  private void add(String place, Host host) {
    if (!NAME.matcher(host.name()).matches()) {
      throw refused(place, "'" + host.name() + "' is no name or address of a host");
    }
    if (hosts.put(host.name(), host) != null) {
      throw refused(place, "host " + host.name() + " stands twice, give it slots instead");
    }
    if (host.slots().isPresent()) {
      slotsKnownAt = place;
    } else {
      slotsUnknownAt = place;
    }
    if (slotsKnownAt != null && slotsUnknownAt != null) {
      throw refused(
          slotsUnknownAt, "no slots here, but at " + slotsKnownAt + "; give them to all or none");
    }
  }

  private List<Host> result(String place) {
    if (hosts.isEmpty()) {
      throw refused(place, "names no host");
    }
    return List.copyOf(hosts.values());
  }

  private SettingsException refused(String place, String why) {
    return new SettingsException(source, place + ": " + why);
  }

  private static String reason(IOException failure) {
    return failure instanceof java.nio.file.NoSuchFileException
        ? "there is no such file"
        : String.valueOf(failure.getMessage());
  }
}
