package io.tagfabric.stream;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.support.RemoteSystems;
import io.tagfabric.tag.TaggedMessage;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same between two ActorSystems. */
class StreamEndBetweenSystemsTest {
  private static final long TAG = 3;

  private final RemoteSystems systems = new RemoteSystems();
  private ActorSystem<Void> near;
  private ActorSystem<Void> far;
  private Endpoint sender;
  private Endpoint receiver;
  private int toReceiver;
  private int toSender;

  private void open(String provider) {
    String config =
        "tagfabric.job.key = \""
            + UUID.randomUUID()
            + "\"\ntagfabric.provider.use = ["
            + provider
            + "]\n"
            + "akka.remote.use-unsafe-remote-features-outside-cluster = on\n";
    near = systems.start("near", config);
    far = systems.start("far", config);
    Domain left = Fabric.get(near).openDomain("left", ProgressMode.AUTO);
    Domain right = Fabric.get(far).openDomain("right", ProgressMode.AUTO);
    sender = left.openEndpoint("sender");
    receiver = right.openEndpoint("receiver");
    toReceiver = left.addressVector().insert(receiver.address());
    toSender = right.addressVector().insert(sender.address());
  }

  @AfterEach
  void close() {
    systems.close();
  }

  private Source<Integer, SourceControl> source() {
    return TagfabricStreams.sourceWithEnd(receiver, toSender, TAG, 16)
        .map(TaggedMessage::payload)
        .map(payload -> payload.asByteBuffer().getInt());
  }

  private Sink<ByteString, CompletionStage<Done>> sink() {
    return TagfabricStreams.sinkWithEnd(sender, toReceiver, TAG, 16);
  }

  private static ByteString bytes(int number) {
    return ByteString.fromInts(0, 0, number >> 8, number & 0xff);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "artery"})
  void shouldComplete(String provider) {
    open(provider);
    CompletionStage<List<Integer>> received = source().runWith(Sink.seq(), far);

    Await.get(Source.range(0, 499).map(StreamEndBetweenSystemsTest::bytes).runWith(sink(), near));

    assertThat(Await.get(received)).isEqualTo(IntStream.range(0, 500).boxed().toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "artery"})
  void shouldFailAsTheStreamThereDoes(String provider) {
    open(provider);
    CompletionStage<List<Integer>> received = source().runWith(Sink.seq(), far);

    Await.failure(
        Source.<ByteString>failed(new IllegalStateException("no paper")).runWith(sink(), near));

    assertThat(Await.failure(received))
        .isInstanceOf(FabricException.class)
        .hasMessageEndingWith("IllegalStateException: no paper");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "artery"})
  void shouldFailWhenTheSystemThereEnds(String provider) {
    open(provider);
    var running = source().take(1).toMat(Sink.seq(), Keep.both()).run(far);
    CompletionStage<List<Integer>> all = running.second();
    Source.single(bytes(1)).concat(Source.maybe()).runWith(sink(), near);
    assertThat(Await.get(all)).containsExactly(1);
    CompletionStage<List<Integer>> next = source().runWith(Sink.seq(), far);

    systems.stop(near);

    assertThat(Await.failure(next))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isIn(FabricError.SHUTDOWN, FabricError.CONNECTION_ABORTED));
  }
}
