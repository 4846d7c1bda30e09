package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.send.OutgoingFrame;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.sbe.NoteDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Notes: what code of an endpoint tells its like at a peer, beside the tagged messages. They have
 * the credit of replies, so they arrive however many tagged messages wait there for a receive.
 * Notes to one peer arrive in the order sent; they may overtake tagged messages.
 *
 * <p><b>Bounds.</b> A note is at most {@value #MOST_NOTE_BYTES} bytes. Its credit goes back as its
 * parts come. What nobody reads yet is kept; beyond {@value #KEPT_BYTES} bytes of it, the last
 * part's credit goes back when somebody has read it, so a peer cannot fill this side.
 *
 * <p>Single threaded: the domain's loop.
 */
@InternalApi
public final class NoteDesk {
  /** Longest note. */
  public static final int MOST_NOTE_BYTES = 128 * 1024;

  static final int KEPT_BYTES = 1 << 20;

  /** Takes the notes of a channel. */
  @FunctionalInterface
  public interface Reader {
    /**
     * A note has come.
     *
     * @param peer index of the sender in the domain's address vector
     */
    void onNote(int peer, byte[] note);
  }

  /** Hears why a note will not arrive; once, and not if all of it has left. */
  @FunctionalInterface
  public interface Failure {
    void onFailed(FabricError error, String detail);
  }

  /** A note that is coming. */
  private static final class Partial {
    final int channel;
    final byte[] bytes;
    int filled;

    Partial(int channel, int total) {
      this.channel = channel;
      this.bytes = new byte[total];
    }
  }

  /** A note that has come. */
  private static final class Whole {
    final FrameOrigin origin;
    final int channel;
    final byte[] bytes;
    final boolean owesCredit;

    Whole(FrameOrigin origin, int channel, byte[] bytes, boolean owesCredit) {
      this.origin = origin;
      this.channel = channel;
      this.bytes = bytes;
      this.owesCredit = owesCredit;
    }
  }

  private final StepQueue steps;
  private final BooleanSupplier isOnLoop;
  private final Consumer<RuntimeException> onDefect;
  private final StepQueue.Handler<Whole> readStep = guarded(this::read);
  private final StepQueue.Handler<Runnable> sendStep = guarded(Runnable::run);
  private final Map<Integer, Reader> readers = new HashMap<>();
  private final Map<Integer, Partial> coming = new HashMap<>();
  private final List<Whole> early = new ArrayList<>();
  private EndpointService.Sender sender;
  private IntPredicate isOver = channel -> false;
  private int keptBytes;

  /**
   * A desk.
   *
   * @param isOnLoop whether the calling thread is the one that drives the loop
   * @param onDefect takes what a reader or a send has thrown
   */
  public NoteDesk(StepQueue steps, BooleanSupplier isOnLoop, Consumer<RuntimeException> onDefect) {
    this.steps = steps;
    this.isOnLoop = isOnLoop;
    this.onDefect = onDefect;
  }

  private <T> StepQueue.Handler<T> guarded(StepQueue.Handler<T> handler) {
    return what -> {
      try {
        handler.take(what);
      } catch (RuntimeException e) {
        onDefect.accept(e);
      }
    };
  }

  /**
   * Refuses a call from outside the loop: it would race with a note that arrives, which then may
   * wait for ever for a reader that is there.
   */
  private void requireLoop() {
    if (!isOnLoop.getAsBoolean()) {
      throw new IllegalStateException(
          "notes are for code that runs on the domain's loop, call by ProgressLoop.execute");
    }
  }

  /** Takes the frames of notes, and sends them. */
  public void open(FrameServices services, EndpointService.Sender itsSender) {
    services.add(NoteDecoder.TEMPLATE_ID, this::onFrame);
    sender = itsSender;
  }

  // ---- sends ----

  /** Sends a note when the handler that is at work has returned. */
  public void send(int peer, int channel, byte[] note, Failure onFailed) {
    requireLoop();
    if (note.length > MOST_NOTE_BYTES) {
      throw new FabricException(
          FabricError.MESSAGE_SIZE,
          "lengthBytes="
              + note.length
              + " > the longest note's "
              + MOST_NOTE_BYTES
              + ", send less");
    }
    steps.add(sendStep, () -> submit(peer, new OutgoingNote(channel, note, onFailed)));
  }

  private void submit(int peer, OutgoingNote note) {
    for (OutgoingFrame part : note.parts()) {
      sender.send(peer, part);
    }
  }

  // ---- arrivals ----

  private void onFrame(FrameOrigin origin, FrameCursor frame) {
    if (!frame.hasBlock(NoteDecoder.BLOCK_LENGTH) || !origin.admitReply()) {
      return;
    }
    NoteDecoder part =
        new NoteDecoder()
            .wrap(frame.buffer(), frame.blockAt(), NoteDecoder.BLOCK_LENGTH, frame.version());
    Partial note = noteOf(origin, part, frame.payloadLength());
    if (note == null) {
      return;
    }
    frame.buffer().getBytes(frame.payloadAt(), note.bytes, note.filled, frame.payloadLength());
    note.filled += frame.payloadLength();
    boolean isWhole = note.filled == note.bytes.length;
    boolean hasRoom =
        !isWhole || readers.containsKey(note.channel) || keptBytes + note.filled <= KEPT_BYTES;
    if (isWhole) {
      coming.remove(origin.peer());
      steps.add(readStep, new Whole(origin, note.channel, note.bytes, !hasRoom));
    }
    if (hasRoom) {
      origin.consumedReply();
    }
  }

  /** The note that a part belongs to; null if there is none, and the flow has ended. */
  private Partial noteOf(FrameOrigin origin, NoteDecoder part, int length) {
    int total = part.total();
    if (part.position() == 0) {
      if (total < length || total > MOST_NOTE_BYTES) {
        return breach(origin, part, length, "total within " + MOST_NOTE_BYTES);
      }
      Partial begun = new Partial(part.channel(), total);
      coming.put(origin.peer(), begun);
      return begun;
    }
    Partial known = coming.get(origin.peer());
    if (known == null
        || known.channel != part.channel()
        || known.filled != part.position()
        || known.bytes.length != total
        || total - known.filled < length
        || length == 0) {
      return breach(
          origin,
          part,
          length,
          known == null
              ? "a note that has begun"
              : "channel=" + known.channel + " position=" + known.filled);
    }
    return known;
  }

  private static Partial breach(FrameOrigin origin, NoteDecoder part, int length, String wanted) {
    origin.breach(
        "part of a note with channel="
            + part.channel()
            + " position="
            + part.position()
            + " total="
            + part.total()
            + " payloadBytes="
            + length
            + " where this is due: "
            + wanted);
    return null;
  }

  private void read(Whole note) {
    Reader reader = readers.get(note.channel);
    if (reader != null) {
      giveBack(note);
      reader.onNote(note.origin.peer(), note.bytes);
    } else if (isOver.test(note.channel)) {
      giveBack(note);
    } else {
      keptBytes += note.bytes.length;
      early.add(note);
    }
  }

  private static void giveBack(Whole note) {
    if (note.owesCredit) {
      note.origin.consumedReply();
    }
  }

  /** Reads what comes on a channel, and what has come. */
  public void receive(int channel, Reader reader) {
    requireLoop();
    readers.put(channel, reader);
    readAgain(channel);
  }

  /** Nobody reads there any more. */
  public void endReceive(int channel) {
    requireLoop();
    readers.remove(channel);
  }

  /** Drops what came, and what comes, on channels without a reader that are over. */
  public void discard(IntPredicate nowOver) {
    requireLoop();
    isOver = nowOver;
    for (Whole note : List.copyOf(early)) {
      if (nowOver.test(note.channel)) {
        readAgain(note.channel);
      }
    }
  }

  private void readAgain(int channel) {
    for (Iterator<Whole> notes = early.iterator(); notes.hasNext(); ) {
      Whole note = notes.next();
      if (note.channel == channel) {
        notes.remove();
        keptBytes -= note.bytes.length;
        steps.add(readStep, note);
      }
    }
  }
}
