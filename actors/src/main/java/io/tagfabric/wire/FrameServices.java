package io.tagfabric.wire;

import io.tagfabric.wire.sbe.AccessEndDecoder;
import io.tagfabric.wire.sbe.ClearToSendDecoder;
import io.tagfabric.wire.sbe.FinishDecoder;
import io.tagfabric.wire.sbe.GoodbyeDecoder;
import io.tagfabric.wire.sbe.HelloDecoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.ReadDataDecoder;
import io.tagfabric.wire.sbe.RefuseDecoder;
import io.tagfabric.wire.sbe.WelcomeDecoder;
import java.util.Objects;

/**
 * Which service takes the frames of which kind, for one endpoint. Filled when the endpoint is
 * built, then only read. Single threaded: the domain's loop.
 */
public final class FrameServices {
  /** Kinds are numbers below this; a frame's header has a byte for them. */
  public static final int KINDS = 256;

  private static final int[] OWN = {
    PacketHeaderDecoder.TEMPLATE_ID,
    ClearToSendDecoder.TEMPLATE_ID,
    HelloDecoder.TEMPLATE_ID,
    WelcomeDecoder.TEMPLATE_ID,
    RefuseDecoder.TEMPLATE_ID,
    GoodbyeDecoder.TEMPLATE_ID,
    FinishDecoder.TEMPLATE_ID,
    ReadDataDecoder.TEMPLATE_ID,
    AccessEndDecoder.TEMPLATE_ID
  };

  private final FrameService[] services = new FrameService[KINDS];
  private boolean closed;

  /**
   * Hands frames of a kind to a service from now on.
   *
   * @param kind template id of the frame
   * @throws IllegalArgumentException if the kind is none, is one of a flow's own, or is taken
   */
  public FrameServices add(int kind, FrameService service) {
    Objects.requireNonNull(service, "service");
    if (kind < 1 || kind >= KINDS) {
      throw new IllegalArgumentException("kind=" + kind + " is outside 1.." + (KINDS - 1));
    }
    for (int own : OWN) {
      if (kind == own) {
        throw new IllegalArgumentException("kind=" + kind + " is one that flows take themselves");
      }
    }
    if (services[kind] != null) {
      throw new IllegalArgumentException(
          "kind="
              + kind
              + " is taken by "
              + services[kind].getClass().getName()
              + ", give the frame another template id");
    }
    services[kind] = service;
    return this;
  }

  /**
   * The endpoint has met a defect: from now on no frame is handed to anybody, so nobody may hear
   * that one was taken.
   */
  public void close() {
    closed = true;
  }

  /** Whether no frame is handed to anybody any more. */
  public boolean isClosed() {
    return closed;
  }

  /** The service of a kind, null if it has none. */
  public FrameService of(int kind) {
    return services[kind];
  }
}
