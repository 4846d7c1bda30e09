package io.tagfabric.actor;

import io.tagfabric.cluster.control.ControlCodec;

/** What two nodes tell each other about references. */
sealed interface RefMessage {
  /** All of them as bytes. The flows they travel in have proved the job's key. */
  ControlCodec CODEC =
      ControlCodec.of("a message about references")
          .message(80, RefLookup.class)
          .message(81, RefFound.class)
          .message(82, RefMissing.class)
          .message(83, RefBind.class)
          .message(84, RefBound.class)
          .message(85, RefRelease.class)
          .message(86, RefWatch.class)
          .message(87, RefUnwatch.class)
          .message(88, RefGone.class)
          .message(89, RefType.class)
          .build();

  /** Which actor is exposed by a name? It must take messages of a class. */
  record RefLookup(long number, String name, String type) implements RefMessage {}

  /** It has this path. */
  record RefFound(long number, String path) implements RefMessage {}

  /** There is none, or of another class. */
  record RefMissing(long number, int error, String why) implements RefMessage {}

  /** The sender knows an actor of the receiver by a number from now on. */
  record RefBind(int recipient, String path) implements RefMessage {}

  /** The answer; the text says why not, and is empty if it may. */
  record RefBound(int recipient, String refusal) implements RefMessage {}

  /** The sender does not use a number any more. */
  record RefRelease(int recipient) implements RefMessage {}

  /** Tell when the actor of a number has ended. */
  record RefWatch(int recipient) implements RefMessage {}

  /** Tell no more. */
  record RefUnwatch(int recipient) implements RefMessage {}

  /** The actor of a number has ended; its messages have come before. */
  record RefGone(int recipient) implements RefMessage {}

  /** Serializer and manifest of messages with a number; numbers begin with 1 and leave no gap. */
  record RefType(int type, int serializer, String manifest) implements RefMessage {}
}
