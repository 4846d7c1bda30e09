package io.tagfabric.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions of Tagfabric, of what it stands on, and of this Java. */
final class VersionProvider implements IVersionProvider {
  @Override
  public String[] getVersion() {
    Properties versions = read();
    return new String[] {
      "Tagfabric "
          + versions.getProperty("tagfabric")
          + " (Akka "
          + versions.getProperty("akka")
          + ", Aeron "
          + versions.getProperty("aeron")
          + ", Java "
          + Runtime.version()
          + ")"
    };
  }

  /** The first two parts of our version. */
  static String majorMinor() {
    String[] parts = read().getProperty("tagfabric").split("[.-]", 3);
    return parts[0] + "." + parts[1];
  }

  private static Properties read() {
    Properties versions = new Properties();
    try (InputStream in =
        VersionProvider.class.getResourceAsStream("/tagfabric-version.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions;
  }
}
