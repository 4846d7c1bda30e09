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

  private static final String PICTURE_OF_REPLAY = "tagfabric.watch.replay.picture";

  /** What the link to the trace file gives: something in the format of Perfetto. */
  private static final String DOWNLOADED =
      "(() => { const get = new XMLHttpRequest();"
          + " get.open('GET', document.getElementById('trace').href, false);"
          + " get.overrideMimeType('text/plain; charset=x-user-defined'); get.send();"
          + " return get.responseText.length > 1000 && get.responseText.charCodeAt(0) === 10; })()";

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
        until(browser, "rates.lines.length === 2 && rates.data[0].length > 1");
        until(browser, "rates.data.slice(1).every(line => line.some(value => value > 0))");
        until(browser, "credits.lines.includes('rank 0 to rank 1')");
        until(browser, "document.querySelectorAll('#charts canvas').length === 2");
        if (System.getProperty(PICTURE) != null) {
          TimeUnit.SECONDS.sleep(10); // until messages are in all places, and charts have lines
          browser.picture(Path.of(System.getProperty(PICTURE)));
        }

        browser.evaluate("document.getElementById('manual').click()");
        until(browser, each("row.dataset.mode === 'manual'"));
        browser.evaluate("document.getElementById('freeze').click()");
        until(browser, each("row.dataset.state === 'frozen'"));
        browser.evaluate("document.getElementById('go').click()");
        until(browser, each("row.dataset.state === 'runs'"));

        browser.evaluate("document.getElementById('take').click()");
        until(browser, "line !== null && drawn.arrows > 0 && drawn.points > 0 && drawn.slices > 0");
        until(browser, "line.rows.some(row => row.rank === 0 && row.thread === 'main')");
        until(browser, "line.rows.some(row => row.rank === 1 && row.thread === 'main')");
        assertThat(browser.evaluate(DOWNLOADED)).isEqualTo("true");
        browser.evaluate("document.getElementById('in').click()");
        assertThat(browser.evaluate("view.end - view.begin < 0.6 * (line.endNs - line.beginNs)"))
            .isEqualTo("true");
        browser.evaluate("window.before = view.begin");
        browser.evaluate("document.getElementById('later').click()");
        assertThat(browser.evaluate("view.begin > before")).isEqualTo("true");
        browser.evaluate("document.getElementById('whole').click()");
        assertThat(browser.evaluate("view.begin < line.beginNs && view.end > line.endNs"))
            .isEqualTo("true");

        Files.createFile(files.resolve("end"));
        until(browser, "document.getElementById('status').textContent === 'the job has ended'");
      }
      assertThat(command.end().code()).isZero();
    }
  }

  private static void stepUntil(Browser browser, String expression) throws Exception {
    while (!browser.evaluate(expression).equals("true")) {
      assertThat(browser.evaluate("replay.over")).as(expression).isEqualTo("false");
      browser.evaluate("window.before = replay.played");
      browser.evaluate("document.getElementById('next').click()");
      until(browser, "replay.played > before");
    }
  }

  @Test
  void shouldPlayTheRunOfASeed() throws Exception {
    Optional<Path> found = Browser.find();
    assumeTrue(found.isPresent(), "needs the package chromium");
    try (Command command =
        Command.tagfabric(directory, "watch", "--seed", "3", "match-order", "--ranks", "2")) {
      Command.until(
          100,
          "prints the page",
          () -> command.lines().stream().anyMatch(line -> line.startsWith("http://127.0.0.1:")),
          () -> "has printed " + command.lines());
      assertThat(command.lines()).anyMatch(line -> line.contains("[0] tag 7: 1st"));
      URI page =
          command.lines().stream()
              .filter(line -> line.startsWith("http://"))
              .map(URI::create)
              .findFirst()
              .orElseThrow();
      try (Browser browser = Browser.open(found.get(), files.resolve("profile"), page)) {
        until(browser, each("row.dataset.state === 'runs'"));
        assertThat(browser.evaluate("document.getElementById('steering').hidden"))
            .isEqualTo("true");
        assertThat(
                browser.evaluate(
                    "getComputedStyle(document.getElementById('charts')).display === 'none'"))
            .isEqualTo("true");
        String posted = "document.querySelector('#lanes tr').cells[3].textContent === '";
        until(browser, posted + "0'");
        stepUntil(browser, posted + "4'");
        assertThat(browser.evaluate("replay.over || replay.plays")).isEqualTo("false");
        until(browser, "replay.said.some(line => line.includes('receive 4 posted: any tag'))");
        if (System.getProperty(PICTURE_OF_REPLAY) != null) {
          stepUntil(browser, "replay.said.some(line => line.includes('#2 comes'))");
          TimeUnit.MILLISECONDS.sleep(400); // until the message is there
          browser.picture(Path.of(System.getProperty(PICTURE_OF_REPLAY)));
        }

        browser.evaluate("document.getElementById('play').click()");
        until(browser, "replay.plays");
        browser.evaluate("document.getElementById('pause').click()");
        until(browser, "!replay.plays");
        browser.evaluate("document.getElementById('again').click()");
        until(browser, posted + "0'");
        browser.evaluate("document.getElementById('speed').value = '1000000000'");
        browser.evaluate(
            "document.getElementById('speed').onchange({target:"
                + " document.getElementById('speed')})");
        browser.evaluate("document.getElementById('play').click()");
        until(browser, "dots.size > 2");
        until(browser, "replay.over && !replay.plays");
        until(browser, each("row.dataset.state === 'closed'"));
        browser.evaluate("document.getElementById('take').click()");
        until(browser, "line !== null && drawn.arrows >= 4");
      }
      command.signal("INT");
      assertThat(command.end().code()).isEqualTo(130);
    }
  }
}
