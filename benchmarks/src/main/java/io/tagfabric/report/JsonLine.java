package io.tagfabric.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** Writes one JSON object on one line. Numbers are plain: no exponent, point as the mark. */
public final class JsonLine {
  private static final MathContext DIGITS = new MathContext(6);

  private final StringBuilder text = new StringBuilder("{");

  /**
   * Adds a field; a value is a whole number, a decimal one, a boolean, a list of values, an object
   * of this kind, or is shown as text.
   */
  public JsonLine put(String name, Object value) {
    text.append(text.length() > 1 ? ", " : "");
    quote(name);
    text.append(": ");
    add(value);
    return this;
  }

  private void add(Object value) {
    if (value instanceof List<?> list) {
      text.append('[');
      for (int i = 0; i < list.size(); i++) {
        text.append(i > 0 ? ", " : "");
        add(list.get(i));
      }
      text.append(']');
    } else if (value instanceof Double decimal) {
      text.append(plain(decimal));
    } else if (value instanceof Number || value instanceof Boolean || value instanceof JsonLine) {
      text.append(value);
    } else {
      quote(String.valueOf(value));
    }
  }

  @Override
  public String toString() {
    return text + "}";
  }

  private static String plain(double value) {
    if (!Double.isFinite(value)) {
      return "null";
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return rounded.toPlainString();
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append("\\u00").append(Character.forDigit(c >> 4, 16));
        text.append(Character.forDigit(c & 15, 16));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
