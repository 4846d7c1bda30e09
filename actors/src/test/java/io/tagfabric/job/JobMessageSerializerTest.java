package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.control.AnyRecord;
import io.tagfabric.control.ControlSerializers;
import io.tagfabric.error.FabricError;
import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.Verdict;
import io.tagfabric.name.NameMessageSerializer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JobMessageSerializerTest {
  private static final ActorTestKit KIT = ofJob();
  private static final ActorTestKit OTHER_JOB = ofJob();
  private static final ActorRef<JobMember.Command> MEMBER =
      KIT.<JobMember.Command>createTestProbe().ref();
  private static final ActorRef<JobCoordinator.Command> COORDINATOR =
      KIT.<JobCoordinator.Command>createTestProbe().ref();
  private static final EndpointAddress ADDRESS =
      new EndpointAddress(-5, 1, "rank-1", "akka://t@h:1", "vm", Map.of("artery", "a b"));

  private static final Verdict VERDICT = new Verdict(255, Long.MIN_VALUE, 7);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
    OTHER_JOB.shutdownTestKit();
  }

  private static ActorTestKit ofJob() {
    return ActorTestKit.create(
        ConfigFactory.parseString("tagfabric.job.key = \"" + UUID.randomUUID() + "\"")
            .withFallback(ConfigFactory.load()));
  }

  private static ExitCoordinator.Letter letter(ExitMessage message) {
    return new ExitCoordinator.Letter(3, message);
  }

  static Stream<Object> messages() {
    return Stream.of(
        new JobCoordinator.Enroll(
            new Roster.Applicant(
                1, 4, "akka://t@h:1", -5, "host", "process", Map.of("key", "value")),
            MEMBER),
        new JobCoordinator.Ready(1, -5, ADDRESS, MEMBER),
        new JobCoordinator.Enter(1, -5, 77, MEMBER),
        new JobCoordinator.Leave(1, -5, MEMBER),
        new JobCoordinator.Seen(1, -5),
        new JobMember.Welcome(COORDINATOR),
        new JobMember.Refused(FabricError.KEY_REJECTED, "no"),
        new JobMember.Waiting("rank 2"),
        new JobMember.Table(
            RankMap.of(List.of(ADDRESS, ADDRESS), List.of("a", "b"), List.of("", "p"))),
        new JobMember.Released(8),
        new JobMember.Absent(8, List.of(2, 3)),
        new JobMember.AllLeaving(),
        letter(new ExitMessage.Reduce(-7, 2, VERDICT)),
        letter(new ExitMessage.ElectRequest(true, VERDICT)),
        letter(new ExitMessage.ElectReply(5, 3)),
        letter(new ExitMessage.ExitRequest(6, VERDICT)),
        letter(new ExitMessage.ExitReply(-1)),
        letter(new ExitMessage.Prepare(7, VERDICT)),
        letter(new ExitMessage.Promise(9, -3, VERDICT)));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldReadWhatItWrote(Object message) {
    ControlSerializers.requireRoundTrip(KIT.system(), message, JobMessageSerializer.class);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldDropWhatDoesNotProveTheKey(Object message) {
    ControlSerializers.requireProof(KIT.system(), message);
    ControlSerializers.requireOwnJob(
        KIT.system(), OTHER_JOB.system(), message, NameMessageSerializer::new);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldNotTellTheKey(Object message) {
    ControlSerializers.requireNoKey(KIT.system(), message);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldRefuseBytesThatAreNoMessage(Object message) {
    ControlSerializers.requireRefusal(KIT.system(), message);
  }

  private static Object any(long seed) {
    Random random = new Random(seed);
    List<Object> examples = messages().toList();
    Object example = examples.get(random.nextInt(examples.size()));
    List<ActorRef<?>> refs = List.of(MEMBER, COORDINATOR);
    List<FabricError> errors = List.of(FabricError.values());
    AnyRecord makes =
        new AnyRecord(
            random,
            Map.of(
                ActorRef.class,
                () -> refs.get(random.nextInt(2)),
                FabricError.class,
                () -> errors.get(random.nextInt(errors.size())),
                EndpointAddress.class,
                () -> ADDRESS,
                RankMap.class,
                () -> RankMap.of(List.of(ADDRESS), List.of("a☃"), List.of("")),
                ExitMessage.class,
                () -> ((ExitCoordinator.Letter) example).message()));
    return makes.of(example.getClass());
  }

  @Property(tries = 100)
  void shouldReadWhateverItWrote(@ForAll long seed) {
    ControlSerializers.requireRoundTrip(KIT.system(), any(seed), JobMessageSerializer.class);
  }

  @Property(tries = 500)
  void shouldRefuseInOneWay(@ForAll long seed) {
    ControlSerializers.requireOneRefusal(KIT.system(), any(seed), new Random(seed));
  }

  @Test
  void shouldWriteJobMessagesOnly() {
    assertThatThrownBy(
            () ->
                ControlSerializers.of(KIT.system(), new JobMember.AllLeaving()).toBinary("a text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("java.lang.String is not a job message");
  }
}
