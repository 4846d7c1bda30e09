package io.tagfabric.launch.output;

/** Takes what a process prints, piece by piece. Called by one thread at a time. */
public interface TextSink {
  /** The next bytes; they are the sink's only until it returns. */
  void accept(byte[] bytes, int length);

  /** Nothing more comes. */
  void end();
}
