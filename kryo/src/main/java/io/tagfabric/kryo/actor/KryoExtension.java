package io.tagfabric.kryo.actor;

import akka.actor.AbstractExtensionId;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.typed.ActorRef;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.kryo.KryoRegistrations;
import io.tagfabric.kryo.KryoSettings;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The one codec of an actor system, for Tagfabric's endpoints and for Akka's remoting. It knows the
 * classes of the configuration, of a {@link KryoSetup}, and Akka's own; actor references it reads
 * are resolved in its system.
 */
public final class KryoExtension extends AbstractExtensionId<KryoExtension.Holder> {
  private static final KryoExtension INSTANCE = new KryoExtension();

  private KryoExtension() {}

  /** Holds the codec of one system. */
  public static final class Holder implements Extension {
    private final KryoCodec codec;
    private final AkkaTypes types;

    private Holder(KryoCodec codec, AkkaTypes types) {
      this.codec = codec;
      this.types = types;
    }
  }

  /**
   * The codec of a typed or classic system, made at the first call; any thread.
   *
   * @throws IllegalArgumentException if the configured registrations or limits are not valid
   */
  public static KryoCodec codec(ClassicActorSystemProvider system) {
    return INSTANCE.get(system).codec;
  }

  /**
   * Lets the references that a system's codec reads become others from now on.
   *
   * @param reading from Akka's own to what the message gets
   */
  @InternalApi
  public static void read(
      ClassicActorSystemProvider system, UnaryOperator<ActorRef<Object>> reading) {
    INSTANCE.get(system).types.read(reading);
  }

  @Override
  public Holder createExtension(ExtendedActorSystem system) {
    Settings settings = Settings.of(system.settings().config());
    Config block =
        ConfigFactory.parseMap(Map.of("registrations", settings.get(KryoKeys.REGISTRATIONS)));
    KryoRegistrations.Builder builder =
        KryoRegistrations.builder().addAll(block, system.dynamicAccess().classLoader());
    system
        .settings()
        .setup()
        .get(KryoSetup.class)
        .ifPresent(setup -> builder.addAll(setup.registrations()));
    AkkaTypes types = new AkkaTypes(system);
    types.addTo(builder);
    KryoSettings limits =
        new KryoSettings(
            settings.get(KryoKeys.MAX_OBJECT_SIZE).intValue(),
            settings.get(KryoKeys.MAX_DEPTH),
            settings.get(KryoKeys.POOL_SIZE),
            settings.get(KryoKeys.KEPT_BUFFER_SIZE).intValue());
    return new Holder(new KryoCodec(builder.build(), limits), types);
  }
}
