package io.tagfabric.launch.hosts;

import io.tagfabric.cluster.settings.SettingsException;
import java.util.ArrayList;
import java.util.List;

/**
 * How a command gets to a host. It only starts the agent of the host; all else goes through that
 * agent's standard input and output.
 */
public sealed interface Spawner {
  /** One word for messages. */
  String name();

  /**
   * The command that runs a line on a host.
   *
   * @param line for a POSIX shell
   */
  List<String> words(Host host, String line);

  /** The command as a person could type it. */
  default String shown(Host host, String line) {
    return ShellWords.line(words(host, line));
  }

  /** What a person could try when the command fails, as a sentence; may be empty. */
  String advice(Host host);

  /**
   * Reads {@code local}, {@code ssh} or {@code command TEMPLATE}.
   *
   * @param ssh the command for ssh with its options
   * @throws SettingsException if it is none of them, or lacks what it needs
   */
  static Spawner parse(String text, String ssh) {
    String word = text.strip();
    if (word.equals("local")) {
      return new Local();
    }
    if (word.equals("ssh")) {
      return new Ssh(split("tagfabric.launch.ssh", ssh));
    }
    if (word.equals("command") || word.startsWith("command ")) {
      return new Command(split("tagfabric.launch.spawner", word.substring("command".length())));
    }
    throw new SettingsException(
        "tagfabric.launch.spawner",
        "spawner '" + text + "' is unknown, expected local, ssh or \"command TEMPLATE\"");
  }

  private static List<String> split(String key, String text) {
    List<String> words;
    try {
      words = ShellWords.split(text);
    } catch (IllegalArgumentException refused) {
      throw new SettingsException(key, key + "=" + text + ": " + refused.getMessage());
    }
    if (words.isEmpty()) {
      throw new SettingsException(key, key + " names no command");
    }
    return words;
  }

  /** Hosts that are addresses of this machine. */
  record Local() implements Spawner {
    @Override
    public String name() {
      return "local";
    }

    @Override
    public List<String> words(Host host, String line) {
      return List.of("/bin/sh", "-c", line);
    }

    @Override
    public String advice(Host host) {
      return "";
    }
  }

  /**
   * The secure shell.
   *
   * @param command with its options
   */
  record Ssh(List<String> command) implements Spawner {
    /** The first value counts with ssh, so the user's own options stand before these. */
    private static final List<String> OPTIONS =
        List.of(
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=10",
            "-o",
            "ServerAliveInterval=5",
            "-o",
            "ServerAliveCountMax=3");

    @Override
    public String name() {
      return "ssh";
    }

    /** Ctrl-C reaches the whole group of processes; ranks must have time to end. */
    @Override
    public List<String> words(Host host, String line) {
      List<String> words =
          new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "-"));
      words.addAll(plain(host, line));
      return List.copyOf(words);
    }

    @Override
    public String shown(Host host, String line) {
      return ShellWords.line(plain(host, line));
    }

    @Override
    public String advice(Host host) {
      List<String> words = new ArrayList<>(command);
      words.addAll(List.of("-o", "BatchMode=yes", host.name(), "true"));
      return "`"
          + ShellWords.line(words)
          + "` must work, without a question; --ssh or TAGFABRIC_LAUNCH_SSH gives ssh its port, key"
          + " and known hosts";
    }

    /** The login shell may be any, so one that is known reads the line. */
    private List<String> plain(Host host, String line) {
      List<String> words = new ArrayList<>(command);
      words.addAll(OPTIONS);
      words.add(host.name());
      words.add("exec /bin/sh -c " + ShellWords.quote(line));
      return words;
    }
  }

  /**
   * A command of the user's: {@code %H} in it is the host's name, {@code %C} the line, {@code %%} a
   * percent sign.
   *
   * @param template its words
   */
  record Command(List<String> template) implements Spawner {
    public Command {
      if (template.stream().noneMatch(word -> word.contains("%C"))) {
        throw new SettingsException(
            "tagfabric.launch.spawner",
            "the spawner's template \""
                + ShellWords.line(template)
                + "\" has no %C, which is the command to run, such as: ip netns exec %H sh -c %C");
      }
    }

    @Override
    public String name() {
      return "command";
    }

    @Override
    public List<String> words(Host host, String line) {
      return template.stream().map(word -> filled(word, host, line)).toList();
    }

    @Override
    public String advice(Host host) {
      return "";
    }

    private static String filled(String word, Host host, String line) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < word.length(); i++) {
        char next = word.charAt(i) == '%' && i + 1 < word.length() ? word.charAt(i + 1) : 0;
        switch (next) {
          case 'H' -> text.append(host.name());
          case 'C' -> text.append(line);
          case '%' -> text.append('%');
          default -> text.append(word.charAt(i));
        }
        if (next == 'H' || next == 'C' || next == '%') {
          i++;
        }
      }
      return text.toString();
    }
  }
}
