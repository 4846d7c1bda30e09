package io.tagfabric.bench.ours;

import akka.actor.ExtendedActorSystem;
import akka.serialization.ByteBufferSerializer;
import akka.serialization.SerializerWithStringManifest;
import io.tagfabric.bench.ours.AkkaPlayer.Ball;
import io.tagfabric.bench.ours.AkkaPlayer.HalfArrived;
import java.nio.ByteBuffer;

/** Puts the messages of {@link AkkaPlayer} into Artery's buffers as they are. */
public final class AkkaMessageSerializer extends SerializerWithStringManifest
    implements ByteBufferSerializer {
  private static final int IDENTIFIER = 659;
  private static final String BALL = "";
  private static final String HALF_ARRIVED = "h";

  /** Called by Akka. */
  public AkkaMessageSerializer(ExtendedActorSystem system) {
    // The messages hold no references.
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object o) {
    return o instanceof Ball ? BALL : HALF_ARRIVED;
  }

  @Override
  public void toBinary(Object o, ByteBuffer buf) {
    if (o instanceof Ball ball) {
      buf.put(ball.bytes());
    }
  }

  @Override
  public byte[] toBinary(Object o) {
    return o instanceof Ball ball ? ball.bytes().clone() : new byte[0];
  }

  @Override
  public Object fromBinary(ByteBuffer buf, String manifest) {
    if (manifest.equals(HALF_ARRIVED)) {
      return HalfArrived.INSTANCE;
    }
    byte[] bytes = new byte[buf.remaining()];
    buf.get(bytes);
    return new Ball(bytes);
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return fromBinary(ByteBuffer.wrap(bytes), manifest);
  }
}
