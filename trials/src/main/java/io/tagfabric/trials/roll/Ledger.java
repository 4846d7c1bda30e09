package io.tagfabric.trials.roll;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the books of all nodes that have ended in order.
 *
 * <ul>
 *   <li>A message comes at most once, and in the order sent.
 *   <li>A send that its sender was told to have succeeded has come. Each send succeeds or fails.
 *   <li>A tell has come, unless its sender had heard that the receiver's node leaves, and told it
 *       at most so long before the receiver stopped as the longest answer took. Nothing told later
 *       has come then.
 *   <li>A question to a node that stays is answered.
 * </ul>
 *
 * <p>Of messages to a node that was killed nothing is known; what comes from such a node comes once
 * and in order.
 */
final class Ledger {
  private final Map<String, Book> books = new LinkedHashMap<>();
  private final Set<String> killed;
  private final List<String> troubles = new ArrayList<>();

  private Ledger(Collection<Book> books, Set<String> killed) {
    books.forEach(book -> this.books.put(book.node(), book));
    this.killed = killed;
  }

  /**
   * What is wrong in the books; empty if nothing is.
   *
   * @param killed nodes that have left no book since they were killed
   */
  static List<String> check(Collection<Book> books, Set<String> killed) {
    Ledger ledger = new Ledger(books, killed);
    long longestMs = longestMs(books, killed);
    ledger.books.values().forEach(book -> ledger.checkSent(book, longestMs));
    ledger.books.values().forEach(ledger::checkReceived);
    ledger.books.values().forEach(ledger::checkAsked);
    return ledger.troubles;
  }

  /** The longest wait of a question to a node that stays. */
  static long longestMs(Collection<Book> books, Set<String> killed) {
    return books.stream()
        .flatMap(book -> book.asked().entrySet().stream())
        .filter(row -> !killed.contains(row.getKey()))
        .mapToLong(row -> row.getValue().longestMs())
        .max()
        .orElse(0);
  }

  private void trouble(Book.Kind kind, String from, String to, String what) {
    troubles.add(kind + " " + from + " -> " + to + ": " + what);
  }

  private void checkSent(Book book, long longestMs) {
    book.sent()
        .forEach(
            (pair, sent) -> {
              String to = pair.other();
              if (sent.unsettled() != 0) {
                String what =
                    sent.unsettled() + " of " + sent.count() + " neither succeed nor fail";
                trouble(pair.kind(), book.node(), to, what);
              }
              Book receiver = books.get(to);
              if (receiver != null) {
                NumberRuns came =
                    receiver
                        .received()
                        .getOrDefault(new Book.Pair(pair.kind(), book.node()), new NumberRuns());
                compare(pair, book.node(), sent, came);
                if (pair.kind() == Book.Kind.TELL) {
                  checkFirstMissing(book.node(), receiver, sent, came, longestMs);
                }
              } else if (!killed.contains(to)) {
                trouble(pair.kind(), book.node(), to, "the receiver has left no book");
              }
            });
  }

  /** Walks through what came, in the order it came. */
  private void compare(Book.Pair pair, String from, Book.Sent sent, NumberRuns came) {
    long next = 0;
    for (NumberRuns.Run run : came.runs()) {
      if (run.first() < next) {
        trouble(pair.kind(), from, pair.other(), again(run.first(), next));
      } else {
        if (run.first() > next) {
          missing(pair, from, sent, next, run.first() - 1, true);
        }
        if (run.last() >= sent.count()) {
          String what = run.last() + " has come, but " + sent.count() + " were sent";
          trouble(pair.kind(), from, pair.other(), what);
        }
      }
      next = Math.max(next, run.last() + 1);
    }
    if (next < sent.count()) {
      missing(pair, from, sent, next, sent.count() - 1, false);
    }
  }

  private static String again(long number, long next) {
    return number + " has come twice or behind " + (next - 1);
  }

  /** Numbers that have not come; later ones have, or not. */
  private void missing(
      Book.Pair pair, String from, Book.Sent sent, long first, long last, boolean laterCame) {
    if (pair.kind() == Book.Kind.TELL && laterCame) {
      String what = first + " to " + last + " have not come, but " + (last + 1) + " has";
      trouble(pair.kind(), from, pair.other(), what);
      return;
    }
    for (long number = first; number <= last; number++) {
      if (!sent.open().contains(number)) {
        String why =
            pair.kind() == Book.Kind.TELL
                ? "was told to a node that was not known to leave, and has not come"
                : "has succeeded and has not come";
        trouble(pair.kind(), from, pair.other(), number + " of " + sent.count() + " " + why);
        return;
      }
    }
  }

  /** The first open tell that is missing was on its way when the receiver stopped. */
  private void checkFirstMissing(
      String from, Book receiver, Book.Sent sent, NumberRuns came, long longestMs) {
    if (receiver.stoppedMs() == 0) {
      return;
    }
    long position = 0;
    for (NumberRuns.Run run : sent.open().runs()) {
      for (long number = run.first(); number <= run.last(); number++, position++) {
        if (!came.contains(number)) {
          long earlierMs = receiver.stoppedMs() - sent.openMs().get((int) position);
          if (earlierMs > longestMs) {
            String what =
                number
                    + " was told "
                    + earlierMs
                    + " ms before the receiver stopped, and no answer"
                    + " took longer than "
                    + longestMs
                    + " ms";
            trouble(Book.Kind.TELL, from, receiver.node(), what);
          }
          return;
        }
      }
    }
  }

  /** What has come from nodes that were killed, or from nowhere. */
  private void checkReceived(Book book) {
    book.received()
        .forEach(
            (pair, came) -> {
              Book sender = books.get(pair.other());
              boolean sent =
                  sender != null
                      && sender.sent().containsKey(new Book.Pair(pair.kind(), book.node()));
              if (!sent && !killed.contains(pair.other())) {
                trouble(pair.kind(), pair.other(), book.node(), came + " came and were not sent");
              } else if (!sent) {
                checkOrder(pair, book.node(), came);
              }
            });
  }

  private void checkOrder(Book.Pair pair, String to, NumberRuns came) {
    long next = 0;
    for (NumberRuns.Run run : came.runs()) {
      if (run.first() < next) {
        trouble(pair.kind(), pair.other(), to, again(run.first(), next));
      } else if (run.first() > next && pair.kind() == Book.Kind.TELL) {
        String what =
            next + " to " + (run.first() - 1) + " have not come, but " + run.first() + " has";
        trouble(pair.kind(), pair.other(), to, what);
      }
      next = Math.max(next, run.last() + 1);
    }
  }

  private void checkAsked(Book book) {
    book.asked()
        .forEach(
            (to, row) -> {
              if (row.lost() > 0 && !killed.contains(to)) {
                troubles.add(
                    "ASK "
                        + book.node()
                        + " -> "
                        + to
                        + ": "
                        + row.lost()
                        + " of "
                        + row.asked()
                        + " were not answered");
              }
            });
  }
}
