package io.tagfabric.cluster.host;

/** A job that could not be started; the message is fit to be shown to a person. */
public final class LaunchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LaunchException(String message) {
    super(message);
  }

  public LaunchException(String message, Throwable cause) {
    super(message, cause);
  }
}
