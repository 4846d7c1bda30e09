package io.tagfabric.cluster.host;

import io.aeron.CommonContext;
import io.aeron.exceptions.AeronException;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at what a rank needs before its ActorSystem exists. Akka would find out later, by stack
 * traces, and of a missing media driver only after half a minute.
 */
public final class StartCheck {
  private static final Duration HEARTBEAT_AGE = Duration.ofSeconds(10);
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private StartCheck() {}

  /**
   * Checks that the rank's address is one of this machine, that its port is free and that its media
   * driver runs. Thread: any; blocks for the resolution of the host's name.
   *
   * @throws LaunchException that says what is missing and what cures it
   */
  public static void check(JobSpec job) {
    InetAddress address = resolve(job.host());
    requireFree(address, job);
    if (job.profile() == Profile.AERON) {
      job.aeronDirectory().ifPresent(StartCheck::requireDriver);
    }
  }

  private static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new LaunchException(
          "host=" + host + " has no address, set " + JobSettings.HOST.fullKey(), unknown);
    }
  }

  /** An ephemeral port tells whether the address is one of this machine. */
  private static void requireFree(InetAddress address, JobSpec job) {
    InetSocketAddress ephemeral = new InetSocketAddress(address, 0);
    try (DatagramSocket any = new DatagramSocket(ephemeral)) {
      any.getLocalPort();
    } catch (IOException notHere) {
      throw new LaunchException(
          "host="
              + job.host()
              + " is not an address of this machine, set "
              + JobSettings.HOST.fullKey()
              + " to one that is",
          notHere);
    }
    if (job.port() != 0) {
      requireFree(new InetSocketAddress(address, job.port()), job);
    }
  }

  private static void requireFree(InetSocketAddress place, JobSpec job) {
    try {
      switch (job.profile()) {
        case AERON -> new DatagramSocket(place).close();
        case TCP, TLS -> bindAsAkkaDoes(place);
      }
    } catch (IOException taken) {
      throw new LaunchException(
          (job.profile() == Profile.AERON ? "UDP" : "TCP")
              + " port="
              + job.port()
              + " of "
              + job.host()
              + " is in use, end what listens there or set "
              + (job.rank() == 0 ? JobSettings.SEED_PORT : JobSettings.PORT).fullKey()
              + " to a free one",
          taken);
    }
  }

  private static void bindAsAkkaDoes(InetSocketAddress place) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(place);
    }
  }

  /** A launcher starts the driver together with the ranks: one that is coming is waited for. */
  private static void requireDriver(Path directory) {
    long deadlineNs = System.nanoTime() + READY_WITHIN.toNanos();
    while (!isActive(directory)) {
      if (!isComing(directory) || System.nanoTime() - deadlineNs > 0) {
        throw new LaunchException(
            "no media driver runs in "
                + JobSettings.AERON_DIRECTORY.fullKey()
                + "="
                + directory
                + ", start the ranks with `tagfabric run` or leave the setting empty for a driver"
                + " inside each rank");
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private static boolean isComing(Path directory) {
    return MediaDriverDirectory.of(HostDirectory.at(directory.toAbsolutePath().getParent()))
        .driver()
        .filter(ProcessId::isAlive)
        .isPresent();
  }

  private static boolean isActive(Path directory) {
    try {
      return CommonContext.isDriverActive(
          directory.toFile(), HEARTBEAT_AGE.toMillis(), ignored -> {});
    } catch (AeronException otherVersion) {
      throw new LaunchException(
          JobSettings.AERON_DIRECTORY.fullKey()
              + "="
              + directory
              + " belongs to a media driver of another version: "
              + otherVersion.getMessage(),
          otherVersion);
    }
  }
}
