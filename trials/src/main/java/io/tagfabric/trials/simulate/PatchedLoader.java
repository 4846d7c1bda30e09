package io.tagfabric.trials.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Loads all classes of the project once more, one of them with a defect. */
final class PatchedLoader extends ClassLoader {
  private static final String PROJECT = "io.tagfabric.";

  private final Defect defect;

  /** The loader of one defect; null for none. */
  PatchedLoader(Defect defect) {
    super(PatchedLoader.class.getClassLoader());
    this.defect = defect;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROJECT)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = file.readAllBytes();
      byte[] defined = defect != null && name.equals(defect.className()) ? defect.in(bytes) : bytes;
      return defineClass(name, defined, 0, defined.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
