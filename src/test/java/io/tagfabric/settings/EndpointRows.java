package io.tagfabric.settings;

import static io.tagfabric.settings.Pair.seen;

import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.kryo.actor.KryoExtension;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.testkit.LeakPolicy;
import io.tagfabric.testkit.TestFabric;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;

/** Keys of progress, endpoints, objects and the rest that a fabric reads. */
final class EndpointRows {
  private EndpointRows() {}

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.addAll(progress());
    rows.addAll(endpoint());
    rows.addAll(objects());
    rows.add(Row.behaviour("partition.key", "7", seen(p -> p.fabric().fabric().partitionKey())));
    rows.add(
        Row.behaviour(
            "names.enabled",
            "off",
            seen(
                p ->
                    Pair.ending(
                        p.fabric().fabric().register("row", p.b()).toCompletableFuture()))));
    rows.add(
        Row.value(
            "names.claim-timeout",
            "1 s",
            seen(p -> p.fabric().fabric().settings().get(FabricSettings.CLAIM_TIMEOUT))));
    rows.add(
        Row.value(
            "actors.queue-messages",
            "7",
            seen(p -> p.fabric().fabric().settings().get(FabricSettings.ACTORS_QUEUE_MESSAGES))));
    rows.add(
        Row.value(
            "actors.queue-bytes",
            "7 KiB",
            seen(p -> p.fabric().fabric().settings().get(FabricSettings.ACTORS_QUEUE_BYTES))));
    return rows;
  }

  private static Row progress(String key, String value, Function<ProgressSettings, Object> look) {
    return Row.value(
        "progress." + key, value, seen(p -> look.apply(p.fabric().fabric().progressDefaults())));
  }

  private static List<Row> progress() {
    return List.of(
        Row.behaviour(
            "progress.mode",
            "manual",
            settings -> {
              try (TestFabric fabric =
                  TestFabric.builder().settings(settings).leaks(LeakPolicy.IGNORE).build()) {
                return Pair.ending(() -> fabric.domain().progress());
              }
            }),
        progress("hand-over", "mailbox", ProgressSettings::handOver),
        progress("spin", "1 us", p -> p.waiting().spinNs()),
        progress("yield", "1 us", p -> p.waiting().yieldNs()),
        progress("crowded-yield", "1 us", p -> p.waiting().yieldNs())
            .with("tagfabric.job.size = 4096"),
        progress("resident-spin", "1 us", p -> p.resident().spinNs()),
        progress("resident-yield", "1 us", p -> p.resident().yieldNs()),
        progress("resident-close-yield", "1 us", p -> p.pacing().closeYieldNs()),
        progress("move-waiting", "off", ProgressSettings::movesWaiters),
        progress("max-park", "7 ms", p -> p.waiting().maxParkNs()),
        progress("idle", "busy-spin", p -> p.waiting().spinNs()),
        progress("resident-idle", "yield", p -> p.resident().yieldNs()),
        progress("rate", "100", p -> p.pacing().rate()),
        progress("interval", "1 ms", p -> p.pacing().intervalNs()),
        progress("poll-mode", "exclusive", p -> p.pacing().pollMode()),
        progress("threads", "one", ProgressSettings::threads),
        progress("deferred", "on", p -> p.pacing().deferred()),
        progress("affinity", "0", p -> p.cores().toString()),
        Row.wiring("progress.dispatcher.type"),
        Row.wiring("progress.dispatcher.executor"),
        Row.wiring("progress.dispatcher.thread-pool-executor.allow-core-timeout"),
        Row.wiring("mailbox.mailbox-type"),
        Row.wiring("mailbox.accepts"),
        Row.wiring("mailbox.guardian.mailbox-type"),
        Row.wiring("mailbox.guardian.accepts"),
        Row.wiring("mailbox.matcher.mailbox-type"),
        Row.wiring("mailbox.matcher.accepts"),
        Row.wiring("mailbox.receiver.mailbox-type"),
        Row.wiring("mailbox.receiver.accepts"));
  }

  private static List<Row> endpoint() {
    return List.of(
        Row.behaviour("endpoint.queue-size", "4", seen(EndpointRows::receivesThatHaveRoom)),
        Row.behaviour(
            "endpoint.inject-size",
            "128 B",
            seen(
                p ->
                    Pair.ending(
                        () ->
                            p.a()
                                .injectTagged(
                                    p.fabric().peer("b"),
                                    new UnsafeBuffer(new byte[100]),
                                    0,
                                    100,
                                    7)))),
        Row.behaviour(
            "endpoint.max-message-size", "1 KiB", seen(p -> Pair.ending(() -> p.send(2_000)))),
        Row.behaviour(
            "endpoint.packet-size",
            "32 KiB",
            seen(
                p -> {
                  p.send(60_000);
                  return p.sent().packetsSent();
                })),
        Row.behaviour(
            "endpoint.max-pending-futures",
            "2",
            seen(
                p -> {
                  p.b().futures().receiveTagged(TagSelector.exact(1));
                  p.b().futures().receiveTagged(TagSelector.exact(2));
                  return Pair.ending(
                      p.b().futures().receiveTagged(TagSelector.exact(3)).toCompletableFuture());
                })),
        Row.value(
            "endpoint.max-unexpected-classes",
            "1",
            seen(p -> p.a().settings().maxUnexpectedClasses())),
        Row.value(
            "endpoint.close-timeout",
            "1 s",
            seen(p -> p.fabric().fabric().settings().get(FabricSettings.CLOSE_TIMEOUT))),
        Row.value("endpoint.ask-timeout", "1 s", seen(p -> p.a().settings().askTimeout())),
        Row.value("memory.reads-served", "2", seen(p -> p.a().settings().memory().readsServed())),
        Row.value("memory.outstanding", "2", seen(p -> p.a().settings().memory().outstanding())),
        Row.value(
            "memory.bounce-limit",
            "3 KiB",
            seen(p -> p.a().settings().memory().bounceLimitBytes())),
        Row.value(
            "memory.budget",
            "16 MiB",
            seen(p -> p.fabric().fabric().settings().get(FabricSettings.MEMORY_BUDGET))),
        Row.value("am.credits", "3", seen(p -> p.a().settings().active().credits())),
        Row.value("am.credits-total", "5", seen(p -> p.a().settings().active().creditsTotal())),
        Row.value("am.credits-slack", "2", seen(p -> p.a().settings().active().slack())),
        Row.value("am.max-medium", "1 KiB", seen(p -> p.a().active().maxMedium())),
        Row.value("am.packed-long-limit", "99 B", seen(p -> p.a().active().packedLongLimit())),
        Row.value("am.reply-timeout", "1 s", seen(p -> p.a().settings().active().replyTimeoutNs())),
        Row.elsewhere("trace.directory", "RecordedDomainTest"),
        Row.elsewhere("trace.events", "RecordedDomainTest"),
        Row.elsewhere("trace.steered", "SteeredDomainTest"),
        Row.elsewhere("observe.stats-file", "ObservedDomainTest"),
        Row.elsewhere("observe.management", "ObservedDomainTest"));
  }

  private static Object receivesThatHaveRoom(Pair pair) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(8);
    int posted = 0;
    while (posted < 100 && pair.b().postReceive(buffer, 7, 0, "c") == Posted.POSTED) {
      posted++;
    }
    return posted;
  }

  /** An object for the codec; its class is registered by one row alone. */
  record Unit(int number) {}

  private static List<Row> objects() {
    return List.of(
        Row.behaviour(
            "kryo.registrations",
            "[\"" + Unit.class.getName() + "\"]",
            seen(p -> Pair.ending(() -> p.fabric().fabric().objects().encode(new Unit(7))))),
        Row.behaviour(
            "kryo.max-object-size",
            "1 KiB",
            seen(p -> Pair.ending(() -> p.fabric().fabric().objects().encode("x".repeat(2_000))))),
        Row.behaviour(
            "kryo.max-depth",
            "3",
            seen(
                p ->
                    Pair.ending(
                        () ->
                            p.fabric()
                                .fabric()
                                .objects()
                                .encode(List.of(List.of(List.of(List.of(List.of("deep"))))))))),
        Row.value(
            "kryo.pool-size",
            "1",
            seen(p -> KryoExtension.codec(p.fabric().system()).settings().poolSize())),
        Row.value(
            "kryo.kept-buffer-size",
            "1 KiB",
            seen(p -> KryoExtension.codec(p.fabric().system()).settings().keptBufferBytes())));
  }
}
