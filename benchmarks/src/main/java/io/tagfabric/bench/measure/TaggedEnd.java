package io.tagfabric.bench.measure;

/** An end that matches messages by tags, apart from those without a label. */
public interface TaggedEnd extends End {
  /** Makes room for one message with a label. */
  void postReceive(int label);

  /** Sends a message with a label. */
  void send(int label);
}
