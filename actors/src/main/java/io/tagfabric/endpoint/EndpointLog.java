package io.tagfabric.endpoint;

/** Where an endpoint says what people should know. Thread: the domain's loop. */
@FunctionalInterface
interface EndpointLog {
  /**
   * Something worth a line.
   *
   * @param warning whether somebody should look
   */
  void report(boolean warning, String text);
}
