package io.tagfabric.cluster.settings;

import io.tagfabric.annotation.InternalApi;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/**
 * Copies public records with some components changed. It finds components by name, so it is for
 * settings and options, not for what a message touches.
 */
@InternalApi
public final class RecordCopy {
  private RecordCopy() {}

  /**
   * A copy of a record.
   *
   * @param changes names of components, each followed by its value in the copy
   * @throws IllegalArgumentException if the record has no such component, or the value is of
   *     another type; and whatever the record's constructor throws
   */
  public static <R extends Record> R with(R record, Object... changes) {
    @SuppressWarnings("unchecked")
    Class<R> type = (Class<R>) record.getClass();
    RecordComponent[] components = type.getRecordComponents();
    List<String> names = Arrays.stream(components).map(RecordComponent::getName).toList();
    try {
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = components[i].getAccessor().invoke(record);
      }
      for (int i = 0; i < changes.length; i += 2) {
        int at = names.indexOf(changes[i]);
        if (at < 0) {
          throw new IllegalArgumentException(
              type.getSimpleName() + " has no component " + changes[i] + ", it has " + names);
        }
        values[at] = changes[i + 1];
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException refusal
          ? refusal
          : new IllegalStateException("cannot copy " + record, e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot copy " + record + ", is it public?", e);
    }
  }
}
