package io.tagfabric.provider;

/** A provider cannot be opened here and now; another one may serve. The message says the cure. */
public final class ProviderUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ProviderUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
