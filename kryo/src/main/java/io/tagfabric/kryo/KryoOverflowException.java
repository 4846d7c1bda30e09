package io.tagfabric.kryo;

import java.nio.BufferOverflowException;

/**
 * An object needs more bytes than the buffer has room for or {@code tagfabric.kryo.max-object-size}
 * allows. It is a {@link BufferOverflowException} because Akka reports a message as dropped for
 * that class alone; any other exception of a serializer is only logged.
 */
public final class KryoOverflowException extends BufferOverflowException {
  private static final long serialVersionUID = 1L;

  private final String message;

  KryoOverflowException(String message, Throwable cause) {
    this.message = message;
    initCause(cause);
  }

  @Override
  public String getMessage() {
    return message;
  }
}
