package io.tagfabric.launch.output;

import java.io.IOException;

/** Nobody reads any more what is written, as behind {@code | head}: no fault of the writer. */
public final class ReaderGoneException extends IOException {
  private static final long serialVersionUID = 1;

  public ReaderGoneException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
