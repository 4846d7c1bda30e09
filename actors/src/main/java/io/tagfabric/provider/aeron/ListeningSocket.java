package io.tagfabric.provider.aeron;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The socket at which a node receives data. The driver's receiver reads it in each duty cycle;
 * {@link #receive()} does so between two of them.
 */
final class ListeningSocket extends ReceiveChannelEndpoint {
  /** Longest UDP payload, and the alignment of what is read. */
  private static final int LONGEST_DATAGRAM = 65504;

  private static final int ALIGNMENT = 64;

  private final SocketEvents events;
  private final AtomicCounter bytesReceived;
  private final ByteBuffer datagram = BufferUtil.allocateDirectAligned(LONGEST_DATAGRAM, ALIGNMENT);
  private final UnsafeBuffer frame = new UnsafeBuffer(datagram);
  private final DataHeaderFlyweight data = new DataHeaderFlyweight(frame);
  private final SetupFlyweight setup = new SetupFlyweight(frame);
  private final RttMeasurementFlyweight roundTrip = new RttMeasurementFlyweight(frame);

  ListeningSocket(
      UdpChannel udpChannel,
      DataPacketDispatcher dispatcher,
      AtomicCounter statusIndicator,
      MediaDriver.Context context,
      SocketEvents events) {
    super(udpChannel, dispatcher, statusIndicator, context);
    this.events = events;
    bytesReceived = context.systemCounters().get(SystemCounterDescriptor.BYTES_RECEIVED);
  }

  @Override
  public void openDatagramChannel(AtomicCounter statusIndicator) {
    super.openDatagramChannel(statusIndicator);
    events.onOpened(receiveDatagramChannel);
    events.onListening(this);
  }

  @Override
  public InetSocketAddress receive(ByteBuffer buffer) {
    return events.isSending() ? null : super.receive(buffer);
  }

  /**
   * Reads one datagram, if there is one, and puts it where subscriptions find it, as the driver's
   * receiver would in its next cycle. Errors go to the driver's error handler.
   *
   * @return its bytes, 0 if there is none; 1 if something went wrong
   */
  int receive() {
    try {
      InetSocketAddress source = super.receive(datagram);
      if (source == null) {
        return 0;
      }
      int bytes = datagram.position();
      bytesReceived.getAndAddOrdered(bytes);
      if (isValidFrame(frame, bytes)) {
        onFrame(bytes, source);
      }
      return Math.max(1, bytes);
    } catch (Exception | InternalError e) { // the channel's are thrown without being declared
      errorHandler.onError(e);
      return 1;
    }
  }

  private void onFrame(int bytes, InetSocketAddress source) {
    switch (FrameDescriptor.frameType(frame, 0)) {
      case DataHeaderFlyweight.HDR_TYPE_DATA, DataHeaderFlyweight.HDR_TYPE_PAD ->
          onDataPacket(data, frame, bytes, source, 0);
      case DataHeaderFlyweight.HDR_TYPE_SETUP -> onSetupMessage(setup, frame, bytes, source, 0);
      case DataHeaderFlyweight.HDR_TYPE_RTTM ->
          onRttMeasurement(roundTrip, frame, bytes, source, 0);
      default -> {
        // The driver does not know it either.
      }
    }
  }

  @Override
  public void close() {
    DatagramChannel socket = receiveDatagramChannel;
    super.close();
    if (socket != null) {
      events.onDeaf(this);
      events.onClosed(socket);
    }
  }
}
