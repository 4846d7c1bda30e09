package io.tagfabric.provider.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NoOpLock;

/** How a node configures Aeron: no thread, small sparse buffers, no death by silence. */
final class NodeContexts {
  /** A domain in MANUAL progress may compute for as long as it likes and is still there. */
  private static final long NEVER_NS = TimeUnit.DAYS.toNanos(3650);

  private NodeContexts() {}

  static MediaDriver.Context driver(
      AeronSettings settings,
      Path directory,
      int mtuBytes,
      int socketBufferBytes,
      CycleClock clock,
      SocketEvents events,
      ErrorHandler errors) {
    int window = Math.max(mtuBytes, Math.min(settings.windowBytes(), settings.termBytes() / 2));
    return new MediaDriver.Context()
        .aeronDirectoryName(directory.toString())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .warnIfDirectoryExists(false)
        .threadingMode(ThreadingMode.INVOKER)
        .nanoClock(clock)
        .asyncTaskExecutorThreads(0)
        .reResolutionCheckIntervalNs(0)
        .termBufferSparseFile(true)
        .performStorageChecks(true)
        .lowStorageWarningThreshold(0)
        .publicationTermBufferLength(settings.termBytes())
        .mtuLength(mtuBytes)
        .initialWindowLength(Math.min(window, socketBufferBytes))
        .socketRcvbufLength(socketBufferBytes)
        .socketSndbufLength(socketBufferBytes)
        .imageLivenessTimeoutNs(settings.streamTimeoutNs())
        .clientLivenessTimeoutNs(NEVER_NS)
        .publicationUnblockTimeoutNs(2 * NEVER_NS)
        .receiveChannelEndpointSupplier(
            (channel, dispatcher, status, context) ->
                new ListeningSocket(channel, dispatcher, status, context, events))
        .sendChannelEndpointSupplier(
            (channel, status, context) -> new SendingSocket(channel, status, context, events))
        .errorHandler(errors);
  }

  static Aeron.Context client(Path directory, MediaDriver driver, ErrorHandler errors) {
    return new Aeron.Context()
        .aeronDirectoryName(directory.toString())
        .useConductorAgentInvoker(true)
        .driverAgentInvoker(driver.sharedAgentInvoker())
        .clientLock(NoOpLock.INSTANCE)
        .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(NEVER_NS))
        .errorHandler(errors)
        .subscriberErrorHandler(errors);
  }

  /** What the operating system gives of a wished socket buffer, in the worse direction. */
  static int socketBufferBytes(int wished) {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.setOption(StandardSocketOptions.SO_RCVBUF, wished);
      probe.setOption(StandardSocketOptions.SO_SNDBUF, wished);
      int receive = probe.getOption(StandardSocketOptions.SO_RCVBUF);
      int send = probe.getOption(StandardSocketOptions.SO_SNDBUF);
      return Math.min(wished, Math.min(receive, send));
    } catch (IOException e) {
      throw new UncheckedIOException("no UDP socket can be opened", e);
    }
  }
}
