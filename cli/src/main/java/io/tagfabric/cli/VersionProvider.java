package io.tagfabric.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions of Tagfabric, of what it stands on, and of this Java. */
final class VersionProvider implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties versions = versions();
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

  /** Tagfabric's own version. */
  static String tagfabric() throws IOException {
    return versions().getProperty("tagfabric");
  }

  private static Properties versions() throws IOException {
    Properties versions = new Properties();
    try (InputStream in =
        VersionProvider.class.getResourceAsStream("/tagfabric-version.properties")) {
      versions.load(in);
    }
    return versions;
  }
}
