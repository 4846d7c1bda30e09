package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Names the loopback interface of this process: host and network namespace. */
@InternalApi
public final class LoopbackScope {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NAMESPACE = Path.of("/proc/self/ns/net");
  private static final String OWN = read();

  private LoopbackScope() {}

  /** Equal in processes that share the loopback interface, and in no others. */
  public static String own() {
    return OWN;
  }

  private static String read() {
    try {
      String boot = Files.readAllLines(BOOT).get(0).trim();
      String namespace = Files.readSymbolicLink(NAMESPACE).toString().replaceAll("[^0-9]", "");
      return boot + "-" + namespace;
    } catch (IOException | IndexOutOfBoundsException notLinux) {
      // Nobody else can be sure to share it.
      return UUID.randomUUID().toString();
    }
  }
}
