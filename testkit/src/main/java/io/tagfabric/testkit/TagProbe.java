package io.tagfabric.testkit;

import akka.actor.testkit.typed.FishingOutcome;
import akka.actor.testkit.typed.javadsl.FishingOutcomes;
import akka.util.ByteString;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.Payload;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AssertionFailureBuilder;

/**
 * Expects messages at an endpoint, in the manner of Akka's TestProbe. An expectation takes the
 * earliest message that fits and leaves the others; what fails says what was expected, what waits
 * there instead, and what is wrong with the network.
 *
 * <p>Without a timeout an expectation waits 10 s. Timeouts are of real time also where time is
 * virtual, but for {@link #expectNoMessage(Duration)}, which lets virtual time pass.
 *
 * <p>Thread: that of the test.
 */
public final class TagProbe {
  private static final Duration NO_MESSAGE = Duration.ofMillis(100);
  private static final int SHOWN_CHARACTERS = 64;

  private final TestFabric fabric;
  private final String name;
  private final Endpoint endpoint;
  private final ProbeFace face;

  TagProbe(TestFabric fabric, String name, Face kind) {
    this.fabric = fabric;
    this.name = name;
    endpoint = fabric.endpoint(name);
    face =
        switch (kind) {
          case FUTURES -> new FutureFace(fabric, endpoint.futures());
          case DIRECT -> new DirectFace(fabric, endpoint);
          case ACTOR -> new ActorFace(fabric, endpoint);
        };
  }

  /** Name of its endpoint. */
  public String name() {
    return name;
  }

  /** Its endpoint: that which had the name when the probe was made. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** Sends bytes to an endpoint. */
  public CompletionStage<Completion.Sent> send(String to, long tag, byte[] bytes) {
    return endpoint.futures().sendTagged(fabric.peer(to), bytes, tag);
  }

  /** Sends text, as UTF-8. */
  public CompletionStage<Completion.Sent> send(String to, long tag, String text) {
    return send(to, tag, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends text to the sender of a message. */
  public CompletionStage<Completion.Sent> reply(TaggedMessage message, long tag, String text) {
    return endpoint
        .futures()
        .sendTagged(message.source(), text.getBytes(StandardCharsets.UTF_8), tag);
  }

  /** Expects a message with this tag, from anybody. */
  public TaggedMessage expectTagged(long tag) {
    return expectTagged(TagSelector.exact(tag));
  }

  /** Expects a message with this tag and these bytes. */
  public TaggedMessage expectTagged(long tag, byte[] payload) {
    return expectPayload(tag, Payload.wrap(payload.clone()));
  }

  /** Expects a message with this tag and these bytes. */
  public TaggedMessage expectTagged(long tag, ByteString payload) {
    return expectPayload(tag, Payload.wrap(payload.toArray()));
  }

  /** Expects a message with this tag and this text, as UTF-8. */
  public TaggedMessage expectTagged(long tag, String text) {
    return expectPayload(tag, Payload.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Expects messages with this tag and these texts, one after the other. */
  public List<TaggedMessage> expectTagged(long tag, String first, String second, String... more) {
    List<TaggedMessage> messages = new ArrayList<>();
    messages.add(expectTagged(tag, first));
    messages.add(expectTagged(tag, second));
    for (String text : more) {
      messages.add(expectTagged(tag, text));
    }
    return messages;
  }

  /** Expects a message that fits. */
  public TaggedMessage expectTagged(TagSelector selector) {
    return expectTagged(selector, Waits.PATIENCE);
  }

  /**
   * Expects a message that fits.
   *
   * @param timeout of real time
   * @throws AssertionError if none comes in time, or the receive fails; a failure is its cause
   */
  public TaggedMessage expectTagged(TagSelector selector, Duration timeout) {
    Objects.requireNonNull(selector, "selector");
    TaggedMessage message = receive(selector, timeout);
    if (message == null) {
      throw new AssertionError(
          expected(selector) + ": none came within " + Waits.text(timeout) + situation());
    }
    return message;
  }

  /** Expects an object of a registered class. */
  public <T> T expectObject(long tag, Class<T> type) {
    TaggedMessage message = expectTagged(tag);
    try {
      return endpoint.futures().decode(message, type);
    } catch (FabricException e) {
      throw new AssertionError(
          expected(TagSelector.exact(tag)) + " with a " + type.getName() + ": " + e.getMessage(),
          e);
    }
  }

  /** Expects an object that equals this one. */
  public <T> T expectObject(long tag, T object) {
    Object received = expectObject(tag, object.getClass());
    if (!received.equals(object)) {
      fail(expected(TagSelector.exact(tag)) + " with an object", object, received);
    }
    @SuppressWarnings("unchecked") // it is of object's class
    T typed = (T) received;
    return typed;
  }

  /** Expects that no message is there, and none comes within 100 ms. */
  public void expectNoMessage() {
    expectNoMessage(NO_MESSAGE);
  }

  /**
   * Expects that no message is there, and none comes within a time. In virtual time it passes
   * meanwhile, also for Akka's timers. Messages that the test's own receives take do not count.
   */
  public void expectNoMessage(Duration duration) {
    expectNoMessage(TagSelector.any(), each -> true, duration);
  }

  /** The same for messages that fit; others, and those without a tag, may come. */
  public void expectNoMessage(TagSelector selector, Duration duration) {
    expectNoMessage(
        selector, each -> each.tagged() && selector.matches(each.tag(), each.source()), duration);
  }

  private void expectNoMessage(
      TagSelector selector, Predicate<MessageInfo> unwanted, Duration duration) {
    fabric.idle(duration);
    TagMatcher.Waiting waiting = fabric.await(endpoint.futures().waiting());
    if (waiting.messages().stream().anyMatch(unwanted)) {
      throw new AssertionError(
          "expected no message with "
              + Waiting.text(selector, fabric::nameOf)
              + " at "
              + name
              + " within "
              + Waits.text(duration)
              + Waiting.text(waiting, fabric::nameOf)
              + fabric.faultsText());
    }
  }

  /**
   * Takes messages, whatever their tags, until a function says that it is complete.
   *
   * @param max of real time, for all of them
   * @param fisher judges each message, with {@link FishingOutcomes}
   * @return the messages that it collected, the last one included
   * @throws AssertionError if it fails, or is not complete in time; the text lists what was taken
   */
  public List<TaggedMessage> fishForMessage(
      Duration max, Function<TaggedMessage, FishingOutcome> fisher) {
    long endNs = System.nanoTime() + max.toNanos();
    List<TaggedMessage> collected = new ArrayList<>();
    List<String> taken = new ArrayList<>();
    while (true) {
      Duration left = Duration.ofNanos(Math.max(0, endNs - System.nanoTime()));
      TaggedMessage message = receive(TagSelector.any(), left);
      if (message == null) {
        throw new AssertionError(
            "fishing at "
                + name
                + " was not complete within "
                + Waits.text(max)
                + taken(taken)
                + situation());
      }
      taken.add(describe(message));
      FishingOutcome outcome = fisher.apply(message);
      if (outcome instanceof FishingOutcome.Fail fail) {
        throw new AssertionError("fishing at " + name + " failed: " + fail.error() + taken(taken));
      }
      if (!outcome.equals(FishingOutcomes.continueAndIgnore())) {
        collected.add(message);
      }
      if (outcome.equals(FishingOutcomes.complete())) {
        return collected;
      }
    }
  }

  void stop() {
    face.stop();
  }

  private TaggedMessage expectPayload(long tag, Payload payload) {
    TaggedMessage message = expectTagged(tag);
    if (!message.payload().equals(payload)) {
      fail(
          expected(TagSelector.exact(tag))
              + " with other bytes, it was from "
              + fabric.nameOf(message.source()),
          show(payload),
          show(message.payload()));
    }
    return message;
  }

  private TaggedMessage receive(TagSelector selector, Duration timeout) {
    try {
      return face.receive(selector, timeout);
    } catch (FabricException e) {
      throw new AssertionError(
          expected(selector) + ": the receive failed, " + e.error() + " " + e.getMessage(), e);
    }
  }

  private String expected(TagSelector selector) {
    return "expected a message at " + name + " with " + Waiting.text(selector, fabric::nameOf);
  }

  /** What is there instead. */
  private String situation() {
    if (fabric.hasCrashed(name)) {
      return "\n" + name + " has crashed";
    }
    return Waiting.text(fabric.await(endpoint.futures().waiting()), fabric::nameOf)
        + fabric.faultsText();
  }

  private static String taken(List<String> lines) {
    return "\ntaken: " + (lines.isEmpty() ? "none" : "\n  " + String.join("\n  ", lines));
  }

  private String describe(TaggedMessage message) {
    return Waiting.text(
            new MessageInfo(message.source(), message.tag(), message.payload().length()),
            fabric::nameOf)
        + ", "
        + show(message.payload());
  }

  /** Text if it looks like text, bytes otherwise. */
  private static String show(Payload payload) {
    String text = new String(payload.array(), StandardCharsets.UTF_8);
    boolean readable =
        !text.isEmpty()
            && text.length() <= SHOWN_CHARACTERS
            && text.codePoints().noneMatch(c -> Character.isISOControl(c) || c == 0xFFFD);
    return readable ? "\"" + text + "\"" : payload.toString();
  }

  private static void fail(String message, Object expected, Object actual) {
    AssertionFailureBuilder.assertionFailure()
        .message(message)
        .expected(expected)
        .actual(actual)
        .buildAndThrow();
  }
}
