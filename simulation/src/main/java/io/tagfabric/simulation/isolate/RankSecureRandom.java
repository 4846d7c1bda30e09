package io.tagfabric.simulation.isolate;

import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.Random;

/** A {@link SecureRandom} whose numbers come from a seed, and so are anything but secure. */
public final class RankSecureRandom extends SecureRandom {
  private static final long serialVersionUID = 1;

  /** Numbers from a seed. */
  public RankSecureRandom(long seed) {
    super(new Seeded(seed), null);
  }

  /** The same; what the program adds to the seed changes the numbers. */
  public RankSecureRandom(byte[] added, long seed) {
    super(new Seeded(seed), null);
    setSeed(added);
  }

  private static final class Seeded extends SecureRandomSpi {
    private static final long serialVersionUID = 1;

    private final Random numbers;

    Seeded(long seed) {
      numbers = new Random(seed);
    }

    @Override
    protected void engineSetSeed(byte[] added) {
      long mixed = numbers.nextLong();
      for (byte each : added) {
        mixed = mixed * 31 + each;
      }
      numbers.setSeed(mixed);
    }

    @Override
    protected void engineNextBytes(byte[] bytes) {
      numbers.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int length) {
      byte[] seed = new byte[length];
      numbers.nextBytes(seed);
      return seed;
    }
  }
}
