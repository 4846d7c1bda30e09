package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code run --watch} in a real browser. */
@Tag("jvms")
@Timeout(110)
class WatchBrowserTest {
  /** Where a picture goes if somebody wants one for the docs. */
  private static final String PICTURE = "tagfabric.watch.picture";

  @TempDir Path directory;
  @TempDir Path files;

  private static void until(Browser browser, String expression) throws Exception {
    while (!browser.evaluate(expression).equals("true")) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static String each(String test) {
    return "document.querySelectorAll('#lanes tr').length === 2"
        + " && [...document.querySelectorAll('#lanes tr')].every(row => "
        + test
        + ")";
  }

  @Test
  void shouldShowRanksAndMessagesAndChangeTheMode() throws Exception {
    Optional<Path> found = Browser.find();
    assumeTrue(found.isPresent(), "needs the package chromium");
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "2",
            "--watch",
            Talker.class.getName(),
            files.resolve("end").toString())) {
      command.awaitError("watch the job at http://127.0.0.1:");
      URI page =
          command.lines().stream()
              .filter(line -> line.contains("watch the job at "))
              .map(line -> URI.create(line.substring(line.indexOf("http://")).strip()))
              .findFirst()
              .orElseThrow();
      command.awaitLine("[0] talking");
      try (Browser browser = Browser.open(found.get(), files.resolve("profile"), page)) {
        until(browser, each("row.dataset.state === 'runs'"));
        until(browser, "dots.size > 0");
        until(browser, each("row.cells[6].textContent.includes('main')"));
        if (System.getProperty(PICTURE) != null) {
          TimeUnit.SECONDS.sleep(2); // until messages are in all places
          browser.picture(Path.of(System.getProperty(PICTURE)));
        }

        browser.evaluate("document.getElementById('manual').click()");
        until(browser, each("row.dataset.mode === 'manual'"));
        browser.evaluate("document.getElementById('freeze').click()");
        until(browser, each("row.dataset.state === 'frozen'"));
        browser.evaluate("document.getElementById('go').click()");
        until(browser, each("row.dataset.state === 'runs'"));

        Files.createFile(files.resolve("end"));
        until(browser, "document.getElementById('status').textContent === 'the job has ended'");
      }
      assertThat(command.end().code()).isZero();
    }
  }
}
