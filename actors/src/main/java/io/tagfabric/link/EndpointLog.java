package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where an endpoint says what people should know. Thread: the domain's loop. */
@FunctionalInterface
@InternalApi
public interface EndpointLog {
  /** How much a line matters. */
  enum Weight {
    /** For a search for a fault. */
    DETAIL,
    /** The normal course of things. */
    NEWS,
    /** Somebody should look. */
    WARNING
  }

  /** Something worth a line. */
  void report(Weight weight, String text);

  /** Logs in the name of {@code Endpoint}. */
  static EndpointLog logger() {
    // The plain parts report outside of a message, where an actor's context has no logger.
    Logger logger = LoggerFactory.getLogger("io.tagfabric.endpoint.Endpoint");
    return (weight, text) -> {
      switch (weight) {
        case DETAIL -> logger.debug(text);
        case NEWS -> logger.info(text);
        case WARNING -> logger.warn(text);
      }
    };
  }
}
