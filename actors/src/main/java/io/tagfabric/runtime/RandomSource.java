package io.tagfabric.runtime;

import java.security.SecureRandom;
import java.util.UUID;

/** Random numbers: of the machine, or of a seed. Thread: any. */
@FunctionalInterface
public interface RandomSource {
  /** Numbers that nobody can guess. */
  RandomSource SYSTEM = new SecureRandom()::nextLong;

  /** 64 random bits. */
  long nextLong();

  /** A random UUID (version 4 of RFC 9562). */
  default UUID nextUuid() {
    long high = nextLong() & 0xFFFFFFFFFFFF0FFFL | 0x4000L;
    long low = nextLong() & 0x3FFFFFFFFFFFFFFFL | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
