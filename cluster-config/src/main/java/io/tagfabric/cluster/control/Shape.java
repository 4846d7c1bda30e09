package io.tagfabric.cluster.control;

import io.tagfabric.cluster.control.Layout.Field;
import io.tagfabric.cluster.control.Layout.Kind;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** How the values of a type are taken apart into fields, and put together again. */
interface Shape {
  /** Adds its fields, named after a component that is named so; empty for a message. */
  void fields(String name, List<Field> into);

  /** Adds the values of the fields of a value. */
  void spread(Object value, List<Object> into);

  /**
   * A value from those of its fields.
   *
   * @throws IllegalArgumentException if the fields do not go together
   */
  Object gather(Iterator<?> from);

  /** A single field. */
  record Single(Kind kind, Layout entry) implements Shape {
    @Override
    public void fields(String name, List<Field> into) {
      into.add(new Field(name.isEmpty() ? "value" : name, kind, entry));
    }

    @Override
    public void spread(Object value, List<Object> into) {
      into.add(value);
    }

    @Override
    public Object gather(Iterator<?> from) {
      return from.next();
    }
  }

  /** A value that is written as another one. */
  record Converted(Shape form, Function<Object, ?> to, Function<Object, ?> from) implements Shape {
    @Override
    public void fields(String name, List<Field> into) {
      form.fields(name, into);
    }

    @Override
    public void spread(Object value, List<Object> into) {
      form.spread(to.apply(value), into);
    }

    @Override
    public Object gather(Iterator<?> values) {
      return made(() -> from.apply(form.gather(values)));
    }
  }

  /** A record: the fields of its components, one after the other. */
  record Components(Constructor<?> constructor, List<Method> accessors, Map<String, Shape> parts)
      implements Shape {
    @Override
    public void fields(String name, List<Field> into) {
      parts.forEach(
          (part, shape) ->
              shape.fields(
                  name.isEmpty()
                      ? part
                      : name + Character.toUpperCase(part.charAt(0)) + part.substring(1),
                  into));
    }

    @Override
    public void spread(Object value, List<Object> into) {
      Iterator<Shape> shapes = parts.values().iterator();
      for (Method accessor : accessors) {
        shapes.next().spread(made(() -> accessor.invoke(value)), into);
      }
    }

    @Override
    public Object gather(Iterator<?> from) {
      List<Object> values = new ArrayList<>();
      parts.values().forEach(shape -> values.add(shape.gather(from)));
      return made(() -> constructor.newInstance(values.toArray()));
    }
  }

  /** Gives a value. */
  interface Maker {
    /** The value, or the reason why there is none. */
    Object make() throws ReflectiveOperationException;
  }

  /** The value; what says that there is none comes out as one kind of exception. */
  private static Object made(Maker maker) {
    try {
      return maker.make();
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause().getMessage(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("records of control messages are open to their codec", e);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("fields do not go together: " + e, e);
    }
  }
}
