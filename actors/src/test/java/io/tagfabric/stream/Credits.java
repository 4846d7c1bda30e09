package io.tagfabric.stream;

import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.link.EndpointSettings;

/** Settings that make limits easy to reach. */
final class Credits {
  static final int SHORT_MESSAGE = 1000;

  private Credits() {}

  static FlowSettings of(FlowSettings flow, int messageCredits) {
    return flow.withCredit(flow.eagerCreditBytes(), messageCredits);
  }

  static EndpointSettings withShortMessages(EndpointSettings settings) {
    return new EndpointSettings(
        settings.injectBytes(),
        SHORT_MESSAGE,
        settings.maxPendingFutures(),
        settings.maxUnexpectedClasses(),
        settings.providers(),
        settings.packetBytes(),
        settings.askTimeout(),
        settings.flow(),
        settings.memory(),
        settings.active());
  }
}
