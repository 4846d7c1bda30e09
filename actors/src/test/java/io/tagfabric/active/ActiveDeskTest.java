package io.tagfabric.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.sbe.ActiveNextEncoder;
import io.tagfabric.wire.sbe.ActiveReplyEncoder;
import io.tagfabric.wire.sbe.ActiveRequestEncoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a desk makes of frames that no honest peer sends, and of flows that end. */
class ActiveDeskTest {
  private static final int HANDLER = 9;
  private static final ActiveSettings SETTINGS = new ActiveSettings(4, 0, 1, 432, 0, 1_000);
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

  private final PacketPool pool = new PacketPool(512, 8 * 1024);
  private final FrameServices services = new FrameServices();
  private final ArrayDeque<Runnable> later = new ArrayDeque<>();
  private final ActiveDesk desk = new ActiveDesk(SETTINGS);
  private final ActiveTarget target = new ActiveTarget(desk, SETTINGS, null, clock());
  private final List<String> breaches = new ArrayList<>();
  private final ArrayDeque<Answer> answers = new ArrayDeque<>();
  private final List<ActiveReply> replies = new ArrayList<>();
  private final List<FabricException> failures = new ArrayList<>();
  private final ActiveListener told =
      new ActiveListener() {
        @Override
        public void onReply(ActiveReply reply) {
          replies.add(reply);
        }

        @Override
        public void onFailed(FabricException reason) {
          failures.add(reason);
        }
      };
  private final FrameOrigin origin = origin();
  private final FrameOrigin other = origin();
  private boolean hasNoCredit;
  private int givenBack;
  private int runs;
  private long nowNs;

  private ActiveClock clock() {
    return new ActiveClock() {
      @Override
      public long nanoTime() {
        return nowNs;
      }

      @Override
      public void later(long delayNs, Runnable task) {
        later.add(task);
      }

      @Override
      public void run(Runnable task) {
        task.run();
      }
    };
  }

  /** A flow that lets a desk do what active messages may do, and nothing else. */
  private FrameOrigin origin() {
    return (FrameOrigin)
        Proxy.newProxyInstance(
            FrameOrigin.class.getClassLoader(),
            new Class<?>[] {FrameOrigin.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "peer" -> 3;
                  case "name" -> "asker";
                  case "isOwn" -> false;
                  case "awaitsRest" -> null;
                  case "admitActive" -> !hasNoCredit;
                  case "answer" -> {
                    answers.add((Answer) arguments[0]);
                    yield null;
                  }
                  case "consumedActive" -> {
                    givenBack++;
                    yield null;
                  }
                  case "breach" -> {
                    breaches.add((String) arguments[0]);
                    yield null;
                  }
                  default -> throw new AssertionError(method + " is not for active messages");
                });
  }

  @BeforeEach
  void open() {
    target.register(services);
    assertThat(target.enter(HANDLER, call -> runs++)).isTrue();
  }

  private void arrive(FrameOrigin from, Packet packet) {
    new FrameWriter().sealUncounted(packet, 1, 2);
    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrap(packet)).isTrue();
    int kind = cursor.nextFrame();
    services.of(kind).onFrame(from, cursor);
    packet.release();
  }

  private void ask(int handler, int count, int bodyBytes) {
    Packet packet = pool.acquire(4096);
    new ActiveRequestEncoder()
        .wrapAndApplyHeader(packet.buffer(), packet.length(), new MessageHeaderEncoder())
        .number(failures.size() + 1)
        .handler(handler)
        .arguments(count)
        .total(bodyBytes - count * Integer.BYTES)
        .flags(0);
    packet.append(HEADER + ActiveRequestEncoder.BLOCK_LENGTH + bodyBytes);
    arrive(origin, packet);
  }

  private void reply(FrameOrigin from, long request, int count, int bodyBytes) {
    Packet packet = pool.acquire(4096);
    new ActiveReplyEncoder()
        .wrapAndApplyHeader(packet.buffer(), packet.length(), new MessageHeaderEncoder())
        .request(request)
        .errorCode(0)
        .arguments(count)
        .total(bodyBytes - count * Integer.BYTES);
    packet.append(HEADER + ActiveReplyEncoder.BLOCK_LENGTH + bodyBytes);
    arrive(from, packet);
  }

  private ActiveRequest begun(boolean left) {
    ActiveRequest request = new ActiveRequest(desk, 3, HANDLER, ActiveBody.EMPTY, true, told);
    desk.begin(request);
    request.goesTo(origin, 1_000);
    if (left) {
      request.onLeft();
    }
    return request;
  }

  /** What the desk says to the asker, as the asker's own desk reads it. */
  private FabricException refusal() {
    begun(true);
    Packet packet = pool.acquire(4096);
    Answer answer = answers.remove();
    answer.write(new AccessWriter(), packet, answer.leftBytes());
    answer.onEnd();
    arrive(origin, packet);
    return failures.get(failures.size() - 1);
  }

  @Test
  void shouldEndTheFlowWhenTheBodyIsNone() {
    int[][] bad = {{17, 68}, {-1, 0}, {Integer.MAX_VALUE, 8}, {0x40000000, 0}, {2, 7}, {0, 433}};
    for (int[] each : bad) {
      ask(HANDLER, each[0], each[1]);
      begun(true);
      reply(origin, failures.size() + replies.size() + 1, each[0], each[1]);
    }

    assertThat(breaches).hasSize(2 * bad.length);
    assertThat(breaches).allMatch(each -> each.contains("an active message with arguments="));
    assertThat(runs).isZero();
    assertThat(answers).isEmpty();
    assertThat(replies).isEmpty();
  }

  @Test
  void shouldRunNothingBeyondCredit() {
    hasNoCredit = true;

    ask(HANDLER, 0, 0);

    assertThat(runs).isZero();
    assertThat(answers).isEmpty();
  }

  @Test
  void shouldGiveCreditBackWhenTheReplyHasLeft() {
    ask(HANDLER, 16, 64);
    assertThat(runs).isEqualTo(1);
    assertThat(givenBack).isZero();

    answers.remove().onEnd();

    assertThat(givenBack).isEqualTo(1);
  }

  @Test
  void shouldRefuseAHandlerOutsideTheTable() {
    for (int index : new int[] {0, -1, 8, 256, Integer.MIN_VALUE}) {
      ask(index, 0, 0);
      int number = failures.size() + 1;

      FabricException refusal = refusal();

      assertThat(failures).hasSize(number);
      assertThat(refusal.error()).isEqualTo(FabricError.NO_ENTRY);
      assertThat(refusal).hasMessageContaining("no handler=" + index);
    }
  }

  @Test
  void shouldEndTheFlowWhenAReplyIsNotWaitedFor() {
    begun(false);
    reply(origin, 1, 0, 0); // has not left
    begun(true);
    reply(other, 2, 0, 0); // asked of another
    reply(origin, 77, 0, 0); // never asked
    assertThat(breaches).hasSize(3);
    reply(origin, 2, 0, 0);
    assertThat(breaches).hasSize(3);
    assertThat(replies).hasSize(1);

    reply(origin, 2, 0, 0); // once more

    assertThat(breaches).hasSize(4);
    assertThat(replies).hasSize(1);
    assertThat(failures).isEmpty();
  }

  @Test
  void shouldFailWhatIsUnansweredOnceWhenItsFlowIsLost() {
    ActiveRequest left = begun(true);
    begun(false);
    target.lost(other, FabricError.SHUTDOWN, "another flow");
    assertThat(failures).isEmpty();

    target.lost(origin, FabricError.CONNECTION_RESET, "gone");
    target.lost(origin, FabricError.CONNECTION_RESET, "gone");
    left.onFailed(FabricError.CANCELED, "too late");

    assertThat(failures)
        .extracting(FabricException::error)
        .containsOnly(FabricError.CONNECTION_RESET);
    assertThat(failures)
        .extracting(FabricException::mayHaveArrived)
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void shouldRunNothingWhenSwitchedOff() {
    target.switchOff("the endpoint closes");

    ask(HANDLER, 0, 0);

    assertThat(runs).isZero();
    assertThat(refusal().error()).isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldCutAReasonThatIsTooLong() {
    assertThat(
            target.enter(
                8,
                call -> {
                  throw new IllegalStateException("€".repeat(5_000));
                }))
        .isTrue();

    ask(8, 0, 0);

    assertThat(answers.peek().overheadBytes() + answers.peek().leftBytes())
        .isLessThanOrEqualTo(HEADER + ActiveReplyEncoder.BLOCK_LENGTH + 432);
    assertThat(refusal()).hasMessageContaining("€€€");
  }

  private Packet part(long number, int flags, int position, int bytes) {
    Packet packet = pool.acquire(4096);
    new ActiveNextEncoder()
        .wrapAndApplyHeader(packet.buffer(), packet.length(), new MessageHeaderEncoder())
        .number(number)
        .position(position)
        .flags(flags);
    packet.append(HEADER + ActiveNextEncoder.BLOCK_LENGTH + bytes);
    return packet;
  }

  private void askInParts(FrameOrigin from, long number, int total, int bytes) {
    Packet packet = pool.acquire(4096);
    new ActiveRequestEncoder()
        .wrapAndApplyHeader(packet.buffer(), packet.length(), new MessageHeaderEncoder())
        .number(number)
        .handler(HANDLER)
        .arguments(0)
        .total(total)
        .flags(0);
    packet.append(HEADER + ActiveRequestEncoder.BLOCK_LENGTH + bytes);
    arrive(from, packet);
  }

  @Test
  void shouldRunWhatComesInPartsWhenItIsWhole() {
    askInParts(origin, 5, 100, 40);
    askInParts(other, 5, 100, 40);
    arrive(origin, part(5, 0, 40, 50));
    assertThat(runs).isZero();

    arrive(origin, part(5, 0, 90, 10));

    assertThat(runs).isEqualTo(1);
    assertThat(breaches).isEmpty();
  }

  @Test
  void shouldEndTheFlowWhenAPartIsNotTheNextOne() {
    arrive(origin, part(5, 0, 40, 50)); // of none
    int[][] bad = {{5, 41, 10}, {5, 39, 10}, {6, 40, 10}, {5, 40, 61}, {5, 40, 0}, {5, -40, 9}};
    for (int[] each : bad) {
      target.lost(origin, FabricError.CANCELED, "");
      askInParts(origin, 5, 100, 40);
      arrive(origin, part(each[0], 0, each[1], each[2]));
    }
    askInParts(origin, 6, 100, 40); // while one has begun
    arrive(origin, part(1, ActiveFrames.OF_REPLY, 0, 1)); // of no reply

    assertThat(breaches).hasSize(bad.length + 3);
    assertThat(runs).isZero();
  }

  @Test
  void shouldTellThePeerOnceWhenAKeptRequestIsTooLate() {
    List<ReceivedRequest> kept = new ArrayList<>();
    assertThat(target.enter(8, call -> kept.add(call.keep()))).isTrue();
    ask(8, 0, 0);
    nowNs = 400;
    ask(8, 0, 0);
    assertThat(later).hasSize(1);
    assertThat(kept.get(0).reply(new int[0], new byte[0])).isTrue();
    assertThat(answers).hasSize(1);

    nowNs = 1_000;
    later.remove().run();
    assertThat(answers).as("the second has time left").hasSize(1);
    nowNs = 1_400;
    later.remove().run();

    assertThat(answers).hasSize(2);
    assertThat(kept.get(1).reply(new int[0], new byte[0])).isFalse();
    answers.remove();
    assertThat(refusal().error()).isEqualTo(FabricError.TIMED_OUT);
    assertThat(givenBack).isEqualTo(1);
    assertThat(later).isEmpty();
  }

  @Test
  void shouldAnswerNobodyWhenTheFlowOfAKeptRequestIsLost() {
    List<ReceivedRequest> kept = new ArrayList<>();
    assertThat(target.enter(8, call -> kept.add(call.keep()))).isTrue();
    ask(8, 0, 0);

    target.lost(origin, FabricError.CONNECTION_RESET, "gone");

    assertThat(kept.get(0).reply(new int[0], new byte[0])).isFalse();
    assertThat(answers).isEmpty();
  }
}
