package io.tagfabric.demos;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** A plate as a picture: blue is cold, red is hot. */
final class HeatPicture {
  /** The hue of blue in Java's colour wheel; red is 0. */
  private static final double BLUE = 0.66;

  private HeatPicture() {}

  static void write(double[] heat, int columns, Path file) throws IOException {
    int rows = heat.length / columns;
    BufferedImage image = new BufferedImage(columns, rows, BufferedImage.TYPE_INT_RGB);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        image.setRGB(column, row, color(heat[row * columns + column]));
      }
    }
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("this JVM cannot write PNG, use one with the module java.desktop");
    }
  }

  private static int color(double heat) {
    double hue = BLUE * (1 - Math.sqrt(heat / HeatPlate.HOT));
    return Color.HSBtoRGB((float) hue, 1f, 0.9f);
  }
}
