package io.tagfabric.kryo;

import com.esotericsoftware.kryo.KryoException;

/**
 * Carries a finished sentence out of Kryo. A {@link KryoException}, so that Kryo's serializers add
 * the field's path to it and pass it on instead of wrapping it.
 */
final class Refusal extends KryoException {
  private static final long serialVersionUID = 1L;

  private final String sentence;

  Refusal(String sentence) {
    super(sentence);
    this.sentence = sentence;
  }

  Refusal(String sentence, Throwable cause) {
    super(sentence, cause);
    this.sentence = sentence;
  }

  /** The sentence without the path that Kryo appends to {@link #getMessage()}. */
  String sentence() {
    return sentence;
  }
}
