package io.tagfabric.provider.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The connected socket to one peer's node: sends data, receives status and requests for what was
 * lost. The operating system tells a connected socket that the peer's port is closed, which is how
 * a dead process shows at once; a busy one keeps its port.
 */
final class SendingSocket extends SendChannelEndpoint {
  /** One refusal may be an old datagram's. */
  private static final int REFUSALS_TO_BELIEVE = 2;

  private final SocketEvents events;
  private int refusals;

  SendingSocket(
      UdpChannel udpChannel,
      AtomicCounter statusIndicator,
      MediaDriver.Context context,
      SocketEvents events) {
    super(udpChannel, statusIndicator, context);
    this.events = events;
  }

  @Override
  public void openDatagramChannel(AtomicCounter statusIndicator) {
    super.openDatagramChannel(statusIndicator);
    events.onOpened(receiveDatagramChannel);
  }

  @Override
  public int send(ByteBuffer buffer) {
    DatagramChannel socket = sendDatagramChannel;
    if (socket == null || !socket.isConnected()) {
      return 0;
    }
    try {
      return socket.write(buffer);
    } catch (PortUnreachableException e) {
      refused();
    } catch (IOException e) {
      onSendError(e, connectAddress, errorHandler);
    }
    return 0;
  }

  @Override
  public InetSocketAddress receive(ByteBuffer buffer) {
    if (events.isSending()) {
      return null;
    }
    DatagramChannel socket = receiveDatagramChannel;
    buffer.clear();
    try {
      InetSocketAddress source =
          socket.isOpen() ? (InetSocketAddress) socket.receive(buffer) : null;
      if (source != null) {
        refusals = 0;
      }
      return source;
    } catch (PortUnreachableException e) {
      refused();
    } catch (IOException e) {
      errorHandler.onError(e);
    }
    return null;
  }

  private void refused() {
    refusals++;
    if (refusals == REFUSALS_TO_BELIEVE) {
      events.onRefused(connectAddress);
    }
  }

  @Override
  public void close() {
    DatagramChannel socket = receiveDatagramChannel;
    super.close();
    if (socket != null) {
      events.onClosed(socket);
    }
  }
}
