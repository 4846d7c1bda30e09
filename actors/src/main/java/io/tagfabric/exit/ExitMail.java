package io.tagfabric.exit;

/** What a rank sends, counted. */
final class ExitMail {
  private final ExitOutput output;
  private ExitCounters counters = ExitCounters.NONE;

  ExitMail(ExitOutput output) {
    this.output = output;
  }

  ExitCounters counters() {
    return counters;
  }

  void send(int rank, ExitMessage message) {
    count(message);
    output.send(rank, message);
  }

  /** One that was sent before, or that only repeats what others know. */
  void again(int rank, ExitMessage message) {
    counters = counters.plusAgain();
    output.send(rank, message);
  }

  /** One to this rank itself, which needs no sending. */
  void count(ExitMessage message) {
    counters = counters.plus(message);
  }
}
