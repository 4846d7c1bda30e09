package io.tagfabric.endpoint;

import io.tagfabric.match.PostedReceive;
import io.tagfabric.progress.ProgressLoop;
import java.util.function.Consumer;

/**
 * The short way of a post in MANUAL mode: the application's thread, which drives the loop anyway,
 * takes it and calls the core that the actor wraps, instead of telling the actor. Refused while
 * somebody else drives or a mailbox waits; the post is then told, and the order of one thread's
 * posts is kept either way.
 */
final class DirectEntry {
  /** For AUTO mode: always tell. */
  static final DirectEntry NONE = new DirectEntry(null, null, null);

  private final ProgressLoop loop;
  private final Consumer<SendOperation> send;
  private final Consumer<PostedReceive> post;

  DirectEntry(ProgressLoop loop, Consumer<SendOperation> send, Consumer<PostedReceive> post) {
    this.loop = loop;
    this.send = send;
    this.post = post;
  }

  boolean send(SendOperation operation) {
    if (loop == null || !loop.tryEnter()) {
      return false;
    }
    try {
      send.accept(operation);
    } finally {
      loop.leave();
    }
    return true;
  }

  boolean post(PostedReceive receive) {
    if (loop == null || !loop.tryEnter()) {
      return false;
    }
    try {
      post.accept(receive);
    } finally {
      loop.leave();
    }
    return true;
  }
}
