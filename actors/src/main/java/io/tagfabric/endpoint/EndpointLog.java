package io.tagfabric.endpoint;

/** Where an endpoint says what people should know. Thread: the domain's loop. */
@FunctionalInterface
interface EndpointLog {
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
}
