package io.tagfabric.simulation.remote;

import akka.actor.ActorPath;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ActorSystemImpl;
import akka.actor.Address;
import akka.actor.AddressFromURIString;
import akka.actor.DynamicAccess;
import akka.actor.ExtendedActorSystem;
import akka.actor.LocalActorRefProvider;
import akka.actor.RootActorPath;
import akka.event.EventStream;
import akka.serialization.Serialization;
import io.tagfabric.runtime.EnvironmentSetup;
import scala.Option;

/**
 * Gives a simulated system an address, and references to actors of others. Named by {@code
 * akka.actor.provider}; its place is the system's environment.
 */
public final class RemoteProvider extends LocalActorRefProvider {
  private final RemotePlace place;
  private final String own;
  private ExtendedActorSystem system;

  /** Called by Akka. */
  public RemoteProvider(
      String name, ActorSystem.Settings settings, EventStream events, DynamicAccess access) {
    super(name, settings, events, access);
    place = (RemotePlace) settings.setup().get(EnvironmentSetup.class).orElseThrow().environment();
    own = place.address().toString();
  }

  @Override
  public void init(ActorSystemImpl newSystem) {
    system = newSystem;
    super.init(newSystem);
  }

  ExtendedActorSystem system() {
    return system;
  }

  RemotePlace place() {
    return place;
  }

  @Override
  public Address getDefaultAddress() {
    return place.address();
  }

  @Override
  public Option<Address> getExternalAddressFor(Address other) {
    return Option.apply(place.address());
  }

  @Override
  public Serialization.Information serializationInformation() {
    return new Serialization.Information(place.address(), system);
  }

  @Override
  public ActorRef rootGuardianAt(Address address) {
    return isOwn(address) ? rootGuardian() : new RemoteRef(this, RootActorPath.apply(address, "/"));
  }

  @Override
  public ActorRef resolveActorRef(String text) {
    if (text.startsWith(own + "/")) {
      return super.resolveActorRef(rootPath().address() + text.substring(own.length()));
    }
    Option<Address> address = AddressFromURIString.unapply(text);
    return address.isEmpty() || isOwn(address.get())
        ? super.resolveActorRef(text)
        : new RemoteRef(this, ActorPath.fromString(text));
  }

  @Override
  public ActorRef resolveActorRef(ActorPath path) {
    return resolveActorRef(path.toSerializationFormat());
  }

  private boolean isOwn(Address address) {
    return address.hasLocalScope() || address.equals(place.address());
  }
}
