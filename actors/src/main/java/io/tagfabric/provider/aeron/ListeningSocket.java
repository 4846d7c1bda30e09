package io.tagfabric.provider.aeron;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.status.AtomicCounter;

/** The socket at which a node receives data. */
final class ListeningSocket extends ReceiveChannelEndpoint {
  private final SocketEvents events;

  ListeningSocket(
      UdpChannel udpChannel,
      DataPacketDispatcher dispatcher,
      AtomicCounter statusIndicator,
      MediaDriver.Context context,
      SocketEvents events) {
    super(udpChannel, dispatcher, statusIndicator, context);
    this.events = events;
  }

  @Override
  public void openDatagramChannel(AtomicCounter statusIndicator) {
    super.openDatagramChannel(statusIndicator);
    events.onOpened(receiveDatagramChannel);
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
