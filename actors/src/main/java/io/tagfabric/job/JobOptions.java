package io.tagfabric.job;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.progress.ProgressSettings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What a program may choose about its rank; the settings are the start from which it does.
 *
 * @param progress changes what makes progress in the rank's domain, and how
 * @param endpoint changes the settings of the rank's endpoint
 * @param application the application's configuration, without the layers below it
 * @param guardian the behavior at the top of the rank's ActorSystem
 * @param starting runs on the starting thread once the rank can end its job, which is before it has
 *     met the others
 */
public record JobOptions(
    UnaryOperator<ProgressSettings> progress,
    UnaryOperator<EndpointSettings> endpoint,
    Config application,
    Behavior<?> guardian,
    Consumer<JobExit> starting) {

  /** Nothing but the settings, {@code application.conf} among them. */
  public static JobOptions defaults() {
    return new JobOptions(
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        ConfigFactory.defaultApplication(),
        Behaviors.empty(),
        exit -> {});
  }

  /** The same with another way to make progress, such as {@code p -> p.withMode(MANUAL)}. */
  public JobOptions withProgress(UnaryOperator<ProgressSettings> change) {
    return RecordCopy.with(this, "progress", change);
  }

  /** The same with other settings of the endpoint. */
  public JobOptions withEndpoint(UnaryOperator<EndpointSettings> change) {
    return RecordCopy.with(this, "endpoint", change);
  }

  /** The same with only these providers, in order of preference. */
  public JobOptions withProviders(String... names) {
    return withEndpoint(settings -> settings.withProviders(List.of(names)));
  }

  /** The same with another configuration of the application. */
  public JobOptions withApplication(Config config) {
    return RecordCopy.with(this, "application", config);
  }

  /** The same with a behavior at the top of the ActorSystem. */
  public JobOptions withGuardian(Behavior<?> behavior) {
    return RecordCopy.with(this, "guardian", behavior);
  }

  /** The same with something to do before the rank meets the others; it must not block. */
  public JobOptions withStarting(Consumer<JobExit> task) {
    return RecordCopy.with(this, "starting", task);
  }
}
