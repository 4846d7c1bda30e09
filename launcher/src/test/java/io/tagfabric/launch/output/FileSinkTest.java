package io.tagfabric.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FileSinkTest {
  private final List<String> told = new ArrayList<>();
  private final AtomicLong written = new AtomicLong();

  @Property(tries = 100)
  void shouldWriteWhatItGetsByteForByte(@ForAll List<byte[]> pieces) {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    FileSink sink = sink(file);

    for (byte[] piece : pieces) {
      expected.writeBytes(piece);
      sink.accept(piece, piece.length);
    }
    sink.end();

    assertThat(file.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void shouldTellOnceThatTheDiskIsFullAndReadOn() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    FileSink sink = sink(full);

    sink.accept(new byte[] {'a', '\n'}, 2);
    sink.accept(new byte[] {'b', '\n'}, 2);
    sink.end();

    assertThat(told).containsExactly("No space left on device");
    assertThat(sink.lastLines()).containsExactly("a", "b");
    assertThat(written).hasValue(0);
  }

  @Test
  void shouldTellWhatOnlyClosingTheFileShows() {
    OutputStream late =
        new OutputStream() {
          @Override
          public void write(int value) {}

          @Override
          public void close() throws IOException {
            throw new IOException("Disk quota exceeded");
          }
        };
    FileSink sink = sink(late);

    sink.accept(new byte[] {'a'}, 1);
    sink.end();

    assertThat(told).containsExactly("Disk quota exceeded");
    assertThat(written).hasValue(1);
  }

  private FileSink sink(OutputStream file) {
    return new FileSink(file, written::addAndGet, failure -> told.add(failure.getMessage()), 9);
  }
}
