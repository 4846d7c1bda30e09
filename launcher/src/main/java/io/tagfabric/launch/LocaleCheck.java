package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Finds texts that Java loses between processes: it reads arguments and names of files by the
 * characters of the locale, and puts a replacement for what is none of them, in silence.
 */
public final class LocaleCheck {
  private static final String REPLACEMENT = "\uFFFD";
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final String CURE = "set LC_ALL=C.UTF-8 and give it in UTF-8";

  private LocaleCheck() {}

  /**
   * What this process could not read of what it was started with.
   *
   * @param arguments of its {@code main}
   * @return one sentence, empty if it could read all
   */
  public static Optional<String> complaint(List<String> arguments) {
    return complaint(arguments, System.getProperty("user.dir"), charset(), commandLine());
  }

  /**
   * @param commandLine the bytes behind the arguments, empty if they cannot be had
   */
  static Optional<String> complaint(
      List<String> arguments, String directory, Charset charset, byte[] commandLine) {
    if (directory.contains(REPLACEMENT)) {
      return Optional.of(
          "the name of the working directory, "
              + directory
              + ", "
              + isNot(charset)
              + ", set LC_ALL=C.UTF-8 if it is UTF-8, else rename it");
    }
    boolean meant = commandLine.length > 0 && isText(commandLine, charset);
    for (int i = 0; i < arguments.size() && !meant; i++) {
      if (arguments.get(i).contains(REPLACEMENT)) {
        return Optional.of(
            "argument "
                + (i + 1)
                + ", '"
                + arguments.get(i)
                + "', "
                + isNot(charset)
                + ", "
                + CURE);
      }
    }
    return Optional.empty();
  }

  /**
   * Sees that a process to be started gets its arguments and variables as they are.
   *
   * @throws LaunchException if it would not
   */
  static void requireCarried(RankCommand command) {
    requireCarried(command, charset());
  }

  static void requireCarried(RankCommand command, Charset charset) {
    command
        .directory()
        .ifPresent(path -> requireCarried(command, "working directory", path.toString(), charset));
    for (String word : command.words()) {
      requireCarried(command, "argument", word, charset);
    }
    command
        .variables()
        .forEach((name, value) -> requireCarried(command, "variable " + name, value, charset));
  }

  private static void requireCarried(
      RankCommand command, String what, String text, Charset charset) {
    if (!charset.newEncoder().canEncode(text)) {
      throw new LaunchException(
          "cannot start "
              + command.who()
              + ": "
              + what
              + " '"
              + text
              + "' "
              + isNot(charset)
              + ", set LC_ALL=C.UTF-8 where it is started");
    }
  }

  private static String isNot(Charset charset) {
    return "is not in the characters of the locale, " + charset.name();
  }

  /** Whether bytes are text, so that a replacement in it was meant. */
  private static boolean isText(byte[] bytes, Charset charset) {
    try {
      charset.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException malformed) {
      return false;
    }
  }

  private static byte[] commandLine() {
    try {
      return Files.readAllBytes(COMMAND_LINE);
    } catch (IOException notLinux) {
      return new byte[0];
    }
  }

  /** In which this JVM reads and writes what passes between processes. */
  private static Charset charset() {
    String name = System.getProperty("sun.jnu.encoding", "");
    return name.isEmpty() || !Charset.isSupported(name)
        ? Charset.defaultCharset()
        : Charset.forName(name);
  }
}
