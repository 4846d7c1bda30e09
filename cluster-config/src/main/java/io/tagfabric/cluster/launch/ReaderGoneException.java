package io.tagfabric.cluster.launch;

import java.io.IOException;

/** Nobody reads any more what is written, as behind {@code | head}: no fault of the writer. */
final class ReaderGoneException extends IOException {
  private static final long serialVersionUID = 1;

  ReaderGoneException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
