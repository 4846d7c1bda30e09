package io.tagfabric.provider;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same where Akka's remoting is encrypted. */
class SecureLentBytesTest extends TcpLentBytesTest {
  @TempDir private static Path directory;
  private static Path keys;

  @BeforeAll
  static void makeKeys() {
    keys = TestKeys.make(directory, "keys");
  }

  @Override
  String common() {
    return TestKeys.remoting(keys, keys) + "\n";
  }
}
