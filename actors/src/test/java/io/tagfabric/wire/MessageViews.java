package io.tagfabric.wire;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages for tests to write. */
public final class MessageViews {
  private MessageViews() {}

  /** A message without immediate data. */
  public static MessageView of(long tag, DirectBuffer buffer, int offset, int length) {
    MessageView view = new MessageView();
    view.show(tag, buffer, offset, length);
    return view;
  }

  /** A message with immediate data if there are any; {@code data} may be null. */
  public static MessageView of(long tag, Long data, byte[] payload) {
    MessageView view = of(tag, new UnsafeBuffer(payload), 0, payload.length);
    if (data != null) {
      view.showData(data);
    }
    return view;
  }
}
