package io.tagfabric.launch.output;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Remembers the last lines of a text, of each at most 64 KiB. Thread: any. */
public final class LastLines implements RankSink {
  private static final int LONGEST_LINE_BYTES = 64 * 1024;

  private final int most;
  private final Deque<byte[]> lines = new ArrayDeque<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  public LastLines(int most) {
    this.most = most;
  }

  @Override
  public synchronized void accept(byte[] bytes, int length) {
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        extend(bytes, from, i);
        remember();
        from = i + 1;
      }
    }
    extend(bytes, from, length);
  }

  private void extend(byte[] bytes, int from, int to) {
    line.write(bytes, from, Math.min(to - from, LONGEST_LINE_BYTES - line.size()));
  }

  private void remember() {
    lines.add(line.toByteArray());
    line.reset();
    if (lines.size() > most) {
      lines.remove();
    }
  }

  @Override
  public synchronized void end() {
    if (line.size() > 0) {
      remember();
    }
  }

  @Override
  public synchronized List<String> lastLines() {
    List<String> texts = new ArrayList<>();
    lines.forEach(text -> texts.add(new String(text, StandardCharsets.UTF_8)));
    if (line.size() > 0) {
      texts.add(line.toString(StandardCharsets.UTF_8));
    }
    return texts.subList(Math.max(0, texts.size() - most), texts.size());
  }
}
