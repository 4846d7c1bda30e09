package io.tagfabric.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells hosts apart: two ranks are on one host if they see the same shared memory. */
final class HostIdentity {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private HostIdentity() {}

  /**
   * What this host is called.
   *
   * @param chosen by the setting, empty to find out
   * @param address by which other ranks reach this one; the name where nothing better is known
   */
  static String of(String chosen, String address) {
    if (!chosen.isBlank()) {
      return chosen.strip();
    }
    try {
      // Containers of one host have their own shared memory.
      Object memory = Files.getAttribute(SHARED_MEMORY, "unix:dev");
      return Files.readString(BOOT).strip() + "-" + memory;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
      return address;
    }
  }
}
