package io.tagfabric.error;

/**
 * A failure of the fabric with its {@link FabricError}; what futures and blocking calls fail with.
 */
public class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FabricError error;
  private final boolean mayHaveArrived;

  public FabricException(FabricError error, String message) {
    this(error, message, false);
  }

  /**
   * A failure, of a send perhaps.
   *
   * @param mayHaveArrived whether it is that of a send whose message may have arrived nevertheless
   */
  public FabricException(FabricError error, String message, boolean mayHaveArrived) {
    super(message);
    this.error = error;
    this.mayHaveArrived = mayHaveArrived;
  }

  public FabricException(FabricError error, String message, Throwable cause) {
    super(message, cause);
    this.error = error;
    mayHaveArrived = false;
  }

  /**
   * Whether this is the failure of a send after which a receive of the peer may have ended with the
   * message; if not, none has and none will.
   */
  public boolean mayHaveArrived() {
    return mayHaveArrived;
  }

  /** What kind of failure this is. */
  public FabricError error() {
    return error;
  }
}
