package io.tagfabric.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import java.util.Arrays;

/** One Kryo with its buffers; used by one thread at a time. */
final class KryoWorker {
  private final KryoSettings settings;
  private final StrictKryo kryo;
  private final BoundedOutput output = new BoundedOutput();
  private final BoundedInput input = new BoundedInput();
  private byte[] scratch = new byte[512];

  /** Stays set when an {@link Error} went through Kryo and may have left its tables half done. */
  private boolean unfinished;

  KryoWorker(StrictKryo kryo, KryoSettings settings) {
    this.kryo = kryo;
    this.settings = settings;
  }

  /**
   * Writes an object into {@link #written()}.
   *
   * @param roomBytes bytes the caller has room for
   * @return how many bytes it took
   */
  int write(Object object, int roomBytes) {
    unfinished = true;
    output.begin(Math.min(roomBytes, settings.maxObjectSizeBytes()));
    try {
      kryo.writeClassAndObject(output, object);
      unfinished = false;
      return output.position();
    } catch (RuntimeException e) {
      settle();
      throw writeFailure(object, roomBytes, e);
    } catch (StackOverflowError e) {
      throw tooDeep(object.getClass().getTypeName(), e);
    }
  }

  /** The bytes of the last {@link #write}, from index 0. */
  byte[] written() {
    return output.getBuffer();
  }

  /** An array of at least this length that the caller may fill and pass to {@link #read}. */
  byte[] scratch(int lengthBytes) {
    if (scratch.length < lengthBytes) {
      scratch = new byte[lengthBytes];
    }
    return scratch;
  }

  /** Reads the one object that fills these bytes; they are neither kept nor changed. */
  Object read(byte[] bytes, int offset, int lengthBytes) {
    unfinished = true;
    input.begin(bytes, offset, lengthBytes);
    try {
      Object object = kryo.readClassAndObject(input);
      if (object == null) {
        throw new Refusal("object=null, a message is never null");
      }
      if (input.remainingBytes() > 0) {
        throw new Refusal(
            "trailingBytes=%d > 0 after %s, compare tagfabric.kryo.registrations of both nodes"
                .formatted(input.remainingBytes(), object.getClass().getTypeName()));
      }
      unfinished = false;
      return object;
    } catch (RuntimeException e) {
      settle();
      throw readFailure(lengthBytes, e);
    } catch (StackOverflowError e) {
      throw tooDeep("what was read", e);
    }
  }

  private void settle() {
    kryo.reset();
    unfinished = false;
  }

  /**
   * Lets go of the message and of large buffers.
   *
   * @return whether the worker may be used again
   */
  boolean rest() {
    output.end(settings.keptBufferBytes());
    input.end(settings.keptBufferBytes());
    if (scratch.length > settings.keptBufferBytes()) {
      scratch = new byte[Math.min(512, settings.keptBufferBytes())];
    }
    return !unfinished;
  }

  private RuntimeException writeFailure(Object object, int roomBytes, RuntimeException e) {
    String name = object.getClass().getTypeName();
    if (cause(e, KryoBufferOverflowException.class) != null) {
      String sentence =
          roomBytes < settings.maxObjectSizeBytes()
              ? "class=%s objectBytes > roomBytes=%d, give a larger buffer or send less at once"
                  .formatted(name, roomBytes)
              : "class=%s objectBytes > maxObjectSizeBytes=%d, raise tagfabric.kryo.max-object-size"
                  .formatted(name, settings.maxObjectSizeBytes());
      return new KryoOverflowException(sentence, e);
    }
    if (isTooDeep(e)) {
      return tooDeep(name, e);
    }
    Refusal refusal = cause(e, Refusal.class);
    return refusal != null
        ? new KryoCodecException(refusal.sentence(), e)
        : new KryoCodecException("class=%s was not written: %s".formatted(name, message(e)), e);
  }

  private KryoCodecException readFailure(int lengthBytes, RuntimeException e) {
    if (isTooDeep(e)) {
      return tooDeep("what was read", e);
    }
    Refusal refusal = cause(e, Refusal.class);
    return refusal != null
        ? new KryoCodecException(refusal.sentence(), e)
        : new KryoCodecException(
            "lengthBytes=%d are not an object: %s".formatted(lengthBytes, message(e)), e);
  }

  /** Kryo has one exception class for everything, its text is the only sign. */
  private static boolean isTooDeep(Throwable e) {
    KryoException found = cause(e, KryoException.class);
    return found != null
        && found.getMessage() != null
        && found.getMessage().startsWith("Max depth exceeded");
  }

  private KryoCodecException tooDeep(String what, Throwable e) {
    return new KryoCodecException(
        "nesting of %s > maxDepth=%d, flatten it, break its cycle or raise tagfabric.kryo.max-depth"
            .formatted(what, settings.maxDepth()),
        e);
  }

  /** The deepest cause of a kind: serializers wrap what they do not know. */
  private static <T extends Throwable> T cause(Throwable e, Class<T> kind) {
    T found = null;
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (kind.isInstance(t)) {
        found = kind.cast(t);
      }
    }
    return found;
  }

  private static String message(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = root.getMessage() == null ? root.getClass().getName() : root.getMessage();
    return text.lines().findFirst().orElse(text);
  }

  /** A copy of the last written bytes. */
  byte[] copyOfWritten(int lengthBytes) {
    return Arrays.copyOf(written(), lengthBytes);
  }
}
