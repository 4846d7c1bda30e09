package io.tagfabric.report;

/**
 * What was measured for one message size.
 *
 * @param bytes length of a message
 * @param iterations repetitions that the clock ran for
 * @param transfersPerIteration messages of one repetition: 2 for a ping-pong, 1 for a stream
 * @param elapsedNs nanoseconds of all repetitions together
 * @param p50Us median of one transfer in microseconds
 * @param p99Us 99th percentile of one transfer in microseconds
 * @param provider how the frames travelled
 * @param progress what drove the domain: {@code manual} or {@code auto}
 */
public record Measurement(
    int bytes,
    long iterations,
    int transfersPerIteration,
    long elapsedNs,
    double p50Us,
    double p99Us,
    String provider,
    String progress) {
  public Measurement {
    if (iterations < 1 || transfersPerIteration < 1 || elapsedNs < 1) {
      throw new IllegalArgumentException(
          "iterations="
              + iterations
              + " transfersPerIteration="
              + transfersPerIteration
              + " elapsedNs="
              + elapsedNs
              + " must all be greater than 0");
    }
  }

  /** Messages moved. */
  public long transfers() {
    return iterations * transfersPerIteration;
  }

  /** Bytes moved. */
  public long totalBytes() {
    return transfers() * bytes;
  }

  public double seconds() {
    return elapsedNs / 1e9;
  }

  /** Millions of bytes a second. */
  public double megabytesPerSecond() {
    return totalBytes() * 1e3 / elapsedNs;
  }

  /** Mean of one transfer; of a ping-pong that is half the round trip. */
  public double usecPerTransfer() {
    return elapsedNs / 1e3 / transfers();
  }

  /** Millions of messages a second. */
  public double megatransfersPerSecond() {
    return transfers() * 1e3 / elapsedNs;
  }

  /** Messages a second. */
  public double transfersPerSecond() {
    return transfers() * 1e9 / elapsedNs;
  }
}
