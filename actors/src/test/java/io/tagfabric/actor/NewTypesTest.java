package io.tagfabric.actor;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.serialization.SerializerWithStringManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Messages of types that are new to a road, while others of its twins get their numbers. */
class NewTypesTest extends TwoSystems {
  private static final int COUNT = 300;

  /** A message whose manifest is its number. */
  record Numbered(int number) {}

  /** Makes up a manifest for each number. */
  public static final class NumberSerializer extends SerializerWithStringManifest {
    @Override
    public int identifier() {
      return 4712;
    }

    @Override
    public String manifest(Object message) {
      return Integer.toString(((Numbered) message).number);
    }

    @Override
    public byte[] toBinary(Object message) {
      return new byte[1];
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
      return new Numbered(Integer.parseInt(manifest));
    }
  }

  @Override
  String settings() {
    return """
        akka.actor {
          serializers.numbers = "io.tagfabric.actor.NewTypesTest$NumberSerializer"
          serialization-bindings."io.tagfabric.actor.NewTypesTest$Numbered" = numbers
        }
        """;
  }

  @Test
  void shouldTellThemWhileActorsAreBound() throws Exception {
    reach(Kind.TWINS, TestProbe.<String>create(far).getRef());
    TestProbe<Numbered> bound = TestProbe.create(far);
    ActorRef<Numbered> twin = nearActors.ref(artery(bound.getRef()));
    twin.tell(new Numbered(-1));
    bound.expectMessage(LONG, new Numbered(-1));
    List<TestProbe<Numbered>> probes = new ArrayList<>();
    List<ActorRef<Numbered>> unbound = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      probes.add(TestProbe.create(far));
      unbound.add(nearActors.ref(artery(probes.get(i).getRef())));
    }

    CompletableFuture<Void> told =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < COUNT; i++) {
                twin.tell(new Numbered(2 * i));
              }
            });
    CompletableFuture<Void> binding =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < COUNT; i++) {
                unbound.get(i).tell(new Numbered(2 * i + 1));
              }
            });

    told.get(LONG.toSeconds(), TimeUnit.SECONDS);
    binding.get(LONG.toSeconds(), TimeUnit.SECONDS);
    for (int i = 0; i < COUNT; i++) {
      bound.expectMessage(LONG, new Numbered(2 * i));
      probes.get(i).expectMessage(LONG, new Numbered(2 * i + 1));
    }
  }
}
