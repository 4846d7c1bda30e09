package io.tagfabric.kryo;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles one class in memory, so that tests have two classes of one name. */
final class Compiled {
  private Compiled() {}

  /** Loads a class of this full name, declared without package, in a loader of its own. */
  static Class<?> load(String name, String declaration) {
    int dot = name.lastIndexOf('.');
    String source = "package " + name.substring(0, dot) + "; public " + declaration;
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JavaFileManager files = new Memory(compiler.getStandardFileManager(null, null, null), bytes);
    List<Source> sources = List.of(new Source(name, source));
    if (!compiler.getTask(null, files, null, List.of("-proc:none"), null, sources).call()) {
      throw new IllegalArgumentException(source);
    }
    byte[] code = bytes.toByteArray();
    ClassLoader loader =
        new ClassLoader(Compiled.class.getClassLoader()) {
          @Override
          protected Class<?> findClass(String wanted) {
            return defineClass(wanted, code, 0, code.length);
          }
        };
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String source;

    Source(String name, String source) {
      super(URI.create("memory:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }

  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    private final ByteArrayOutputStream bytes;

    Memory(JavaFileManager files, ByteArrayOutputStream bytes) {
      super(files);
      this.bytes = bytes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + name + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
