package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Knows classes by number only: Kryo's own loads whatever class name the bytes give. */
final class StrictClassResolver extends DefaultClassResolver {
  /** 0 is null and 1 would be a class name, so numbers are shifted by two on the wire. */
  private static final int SHIFT = 2;

  private Registration[] byId = new Registration[128];

  @Override
  public Registration register(Registration registration) {
    int id = registration.getId();
    if (id >= byId.length) {
      byId = Arrays.copyOf(byId, Math.max(id + 1, byId.length * 2));
    }
    byId[id] = registration;
    return super.register(registration);
  }

  /** The enums among the classes. */
  List<Class<?>> enums() {
    List<Class<?>> enums = new ArrayList<>();
    for (Registration registration : byId) {
      if (registration != null && registration.getType().isEnum()) {
        enums.add(registration.getType());
      }
    }
    return enums;
  }

  /** Lets objects of one more class be written under a registration. */
  void alias(Class<?> type, Registration registration) {
    classToRegistration.put(type, registration);
  }

  @Override
  public Registration readClass(Input input) {
    int number = input.readVarInt(true);
    if (number == Kryo.NULL) {
      return null;
    }
    int id = number - SHIFT;
    Registration registration = id >= 0 && id < byId.length ? byId[id] : null;
    if (registration == null) {
      throw new Refusal(
          "classId=%d is not registered, compare tagfabric.kryo.registrations of both nodes"
              .formatted(id));
    }
    return registration;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Registration registerImplicit(Class type) {
    throw new Refusal(StrictKryo.unregistered(type));
  }
}
