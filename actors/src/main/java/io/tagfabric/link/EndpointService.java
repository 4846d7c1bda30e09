package io.tagfabric.link;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.flow.send.OutgoingFrame;
import io.tagfabric.wire.FrameService;
import io.tagfabric.wire.FrameServices;

/**
 * What a package does with frames of kinds that it brings along: opened with each endpoint, it
 * registers their handler, and sends its own. Found with {@link java.util.ServiceLoader}, as
 * providers are. Stateless; one instance for each endpoint that is opened.
 */
public interface EndpointService {
  /** Sends frames of services. */
  @FunctionalInterface
  interface Sender {
    /**
     * Sends a frame to a peer, or tells the frame why not. Thread: the domain's loop.
     *
     * @param peer index in the domain's address vector
     */
    void send(int peer, OutgoingFrame frame);
  }

  /**
   * The endpoint that a service is opened for.
   *
   * @param address where it is
   * @param services the handlers of frames, by kind; {@link FrameServices#add} registers one
   * @param sender sends its frames
   */
  record Context(EndpointAddress address, FrameServices services, Sender sender) {
    /** As {@link FrameServices#add}. */
    public void register(int kind, FrameService service) {
      services.add(kind, service);
    }
  }

  /** Registers what this service takes. Thread: the domain's loop. */
  void open(Context context);
}
