package io.tagfabric.kryo;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Classes the tests send. */
final class Samples {
  private Samples() {}

  static final KryoRegistrations REGISTRATIONS =
      KryoRegistrations.of(
          Point.class,
          Line.class,
          Box.class,
          Numbers.class,
          Nothing.class,
          Node.class,
          Color.class,
          Account.class,
          Shape.class,
          Point[].class,
          int[][].class);

  record Point(int x, long y) {}

  record Line(Point from, Point to, String label) {}

  record Box<T>(T content, List<T> more, Map<String, T> named) {}

  record Numbers(
      byte b, short s, int i, long l, float f, double d, char c, boolean z, Integer boxed) {}

  record Nothing() {}

  record Node(Object next) {}

  enum Color {
    RED,
    GREEN {
      @Override
      int shade() {
        return 7;
      }
    };

    int shade() {
      return 0;
    }
  }

  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  record Square(double side) implements Shape {}

  static class Entity {
    private final String name;
    transient int visits = 5;

    Entity(String name) {
      this.name = Objects.requireNonNull(name);
    }

    String name() {
      return name;
    }
  }

  /** A class with inherited, final, primitive and object fields, and no constructor without any. */
  static final class Account extends Entity {
    private final String name;
    private final boolean open;
    private final byte level;
    private final short branch;
    private final char kind;
    private final int count;
    private final long cents;
    private final float rate;
    private final double score;
    Point where;
    List<Point> history;
    private Color color;

    Account(String entityName, String name, long cents, Point where, Color color) {
      super(entityName);
      this.name = name;
      this.open = true;
      this.level = 3;
      this.branch = -300;
      this.kind = 'k';
      this.count = -1;
      this.cents = cents;
      this.rate = 1.5f;
      this.score = -2.25;
      this.where = where;
      this.history = List.of(where, where);
      this.color = color;
    }

    List<Object> state() {
      return List.of(
          name(), name, open, level, branch, kind, count, cents, rate, score, where, history,
          color);
    }
  }

  static Account account() {
    return new Account("entity", "account", -123_456_789_012L, new Point(1, 2), Color.GREEN);
  }

  static KryoCodec codec() {
    return new KryoCodec(REGISTRATIONS, KryoSettings.defaults());
  }
}
