package io.tagfabric.launch.agent;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Fields of a frame's body, one after the other. */
final class AgentBody {
  private final DataInputStream in;

  private AgentBody(byte[] bytes) {
    in = new DataInputStream(new ByteArrayInputStream(bytes));
  }

  /** Reads fields in the order they were written. */
  static AgentBody of(byte[] bytes) {
    return new AgentBody(bytes);
  }

  static byte[] encode(Consumer<Writer> fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    fields.accept(new Writer(new DataOutputStream(bytes)));
    return bytes.toByteArray();
  }

  long number() throws IOException {
    return in.readLong();
  }

  String text() throws IOException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /** A path, if there is one. */
  Optional<Path> path() throws IOException {
    return Optional.of(text()).filter(path -> !path.isEmpty()).map(Path::of);
  }

  List<Path> paths() throws IOException {
    return texts().stream().map(Path::of).toList();
  }

  private byte[] bytes() throws IOException {
    return in.readNBytes(in.readInt());
  }

  List<String> texts() throws IOException {
    int count = in.readInt();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(text());
    }
    return texts;
  }

  Map<String, String> map() throws IOException {
    int count = in.readInt();
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(text(), text());
    }
    return map;
  }

  /** Writes fields. */
  static final class Writer {
    private final DataOutputStream out;

    private Writer(DataOutputStream out) {
      this.out = out;
    }

    void put(long number) {
      run(() -> out.writeLong(number));
    }

    void put(String text) {
      put(text.getBytes(StandardCharsets.UTF_8));
    }

    private void put(byte[] bytes) {
      run(
          () -> {
            out.writeInt(bytes.length);
            out.write(bytes);
          });
    }

    void put(List<String> texts) {
      run(() -> out.writeInt(texts.size()));
      texts.forEach(this::put);
    }

    void put(Optional<Path> path) {
      put(path.map(Path::toString).orElse(""));
    }

    void putPaths(List<Path> paths) {
      put(paths.stream().map(Path::toString).toList());
    }

    void put(Map<String, String> map) {
      run(() -> out.writeInt(map.size()));
      map.forEach(
          (key, value) -> {
            put(key);
            put(value);
          });
    }

    private interface Write {
      void run() throws IOException;
    }

    private static void run(Write write) {
      try {
        write.run();
      } catch (IOException inMemory) {
        throw new UncheckedIOException(inMemory);
      }
    }
  }
}
