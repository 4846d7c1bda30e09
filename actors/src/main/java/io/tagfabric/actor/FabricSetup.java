package io.tagfabric.actor;

import akka.actor.typed.ActorRefResolverSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Extension;
import akka.actor.typed.ExtensionId;
import io.tagfabric.annotation.InternalApi;

/**
 * Lets an application use the fabric as it is: with this setup the references that it finds in
 * messages and in listings of the Receptionist are twins.
 *
 * <pre>{@code
 * ActorSystem.create(guardian, "shop", ActorSystemSetup.create(bootstrap, FabricSetup.create()));
 * }</pre>
 *
 * <p>References are opened while the system starts, on each node that shall be reached. If the
 * fabric cannot be opened, the log says why and references stay Akka's own. Akka's own actors below
 * /system keep Akka's remoting.
 */
public final class FabricSetup {
  private FabricSetup() {}

  /** The setup. */
  public static ActorRefResolverSetup create() {
    return new ActorRefResolverSetup(system -> new FabricResolver(system, true));
  }

  /** The same, but references become twins only when {@link FabricActors} is first used. */
  @InternalApi
  public static ActorRefResolverSetup whenUsed() {
    return new ActorRefResolverSetup(system -> new FabricResolver(system, false));
  }

  /** Loaded by Akka when a system starts. */
  @InternalApi
  public static final class Started extends ExtensionId<Extension> {
    private static final Started INSTANCE = new Started();

    private Started() {}

    /** Called by Akka. */
    public static Started getInstance() {
      return INSTANCE;
    }

    @Override
    public Extension createExtension(ActorSystem<?> system) {
      FabricResolver.started(system);
      return new Extension() {};
    }
  }
}
