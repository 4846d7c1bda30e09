package io.tagfabric.kryo;

/**
 * An object could not be written, or bytes could not be read: an unregistered class, a depth or
 * size beyond the limits, or bytes that are damaged or come from other registrations.
 */
public final class KryoCodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KryoCodecException(String message) {
    super(message);
  }

  KryoCodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
