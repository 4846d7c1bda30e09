package io.tagfabric.error;

/**
 * A failure of the fabric with its {@link FabricError}; what futures and blocking calls fail with.
 */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FabricError error;

  public FabricException(FabricError error, String message) {
    super(message);
    this.error = error;
  }

  public FabricException(FabricError error, String message, Throwable cause) {
    super(message, cause);
    this.error = error;
  }

  /** What kind of failure this is. */
  public FabricError error() {
    return error;
  }
}
