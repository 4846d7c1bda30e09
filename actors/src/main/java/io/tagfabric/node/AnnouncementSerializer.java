package io.tagfabric.node;

import akka.actor.ExtendedActorSystem;
import akka.serialization.SerializerWithStringManifest;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;

/** Writes {@link Announcement}s. Its number and manifest are the same in all builds. */
public final class AnnouncementSerializer extends SerializerWithStringManifest {
  private static final int IDENTIFIER = 644;
  private static final String MANIFEST = "A";

  /** Called by Akka. */
  public AnnouncementSerializer(ExtendedActorSystem system) {}

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object message) {
    return MANIFEST;
  }

  @Override
  public byte[] toBinary(Object message) {
    if (message instanceof Announcement announcement) {
      return announcement.encode().getBytes(StandardCharsets.UTF_8);
    }
    throw new IllegalArgumentException(message.getClass() + " is not an announcement of a node");
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      return Announcement.decode(new String(bytes, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new NotSerializableException("an announcement of a node: " + e.getMessage());
    }
  }
}
