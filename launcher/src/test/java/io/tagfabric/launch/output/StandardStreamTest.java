package io.tagfabric.launch.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardStreamTest {
  private static final byte[] TEXT = "text\n".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  @Test
  void shouldWriteBytesAsTheyAre() throws Exception {
    Path file = directory.resolve("file");
    try (OutputStream stream = open(file)) {
      stream.write(TEXT);
      stream.write(0xff);
    }

    assertThat(Files.readAllBytes(file))
        .isEqualTo(new byte[] {'t', 'e', 'x', 't', '\n', (byte) 0xff});
  }

  @Test
  void shouldNotTakeAFullDiskForAReaderThatHasGone() throws Exception {
    try (OutputStream stream = open(Path.of("/dev/full"))) {
      assertThatThrownBy(() -> stream.write(TEXT))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(ReaderGoneException.class);
    }
  }

  @Test
  void shouldKnowAReaderThatHasGone() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread reader = new Thread(() -> openAndClose(pipe));
    reader.start();

    try (OutputStream stream = open(pipe)) {
      reader.join();
      assertThatThrownBy(() -> stream.write(TEXT)).isInstanceOf(ReaderGoneException.class);
    }
  }

  private static OutputStream open(Path path) throws IOException {
    return new StandardStream(new FileOutputStream(path.toFile()), path);
  }

  private static void openAndClose(Path pipe) {
    try (FileInputStream in = new FileInputStream(pipe.toFile())) {
      assertThat(in.getFD().valid()).isTrue();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
