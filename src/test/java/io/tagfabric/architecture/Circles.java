package io.tagfabric.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The top-level classes of each package that need one another, as their sources name them. A nested
 * class counts with the class around it; that a sealed parent lists its children does not count.
 */
final class Circles {
  /** Class names by package, and for each what it names of its own package. */
  private final Map<String, Map<String, Set<String>>> packages = new TreeMap<>();

  /** Reads source files. */
  static Circles of(Collection<Path> files) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    Circles circles = new Circles();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      for (CompilationUnitTree file : task.parse()) {
        circles.add(file);
      }
    }
    return circles;
  }

  /** The Java files in a directory and below. */
  static List<Path> filesBelow(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  private void add(CompilationUnitTree file) {
    if (file.getPackageName() == null) {
      return; // a module's descriptor
    }
    Map<String, Set<String>> types =
        packages.computeIfAbsent(file.getPackageName().toString(), name -> new TreeMap<>());
    Set<String> imported = new HashSet<>();
    new Names(imported).scan(file.getImports(), null);
    for (Tree type : file.getTypeDecls()) {
      if (type instanceof ClassTree tree) {
        Names names = new Names(new HashSet<>(imported));
        names.scan(tree, null);
        names.found.removeAll(names.nested);
        types.put(tree.getSimpleName().toString(), names.found);
      }
    }
  }

  /** The names of the packages that have classes. */
  Set<String> packages() {
    return packages.keySet();
  }

  /** The classes of the largest circle of a package; at least one, which needs no other. */
  Set<String> largest(String packageName) {
    Map<String, Set<String>> types = packages.get(packageName);
    Map<String, Set<String>> reached = new HashMap<>();
    types.keySet().forEach(name -> reached.put(name, reachable(types, name)));
    Set<String> largest = Set.of();
    for (String name : types.keySet()) {
      Set<String> circle = new TreeSet<>(reached.get(name));
      circle.removeIf(other -> !reached.get(other).contains(name));
      if (circle.size() > largest.size()) {
        largest = circle;
      }
    }
    return largest;
  }

  private static Set<String> reachable(Map<String, Set<String>> types, String from) {
    Set<String> seen = new HashSet<>(Set.of(from));
    ArrayDeque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (String next : types.get(open.remove())) {
        if (types.containsKey(next) && seen.add(next)) {
          open.add(next);
        }
      }
    }
    return seen;
  }

  /** Collects the simple names in a class. */
  private static final class Names extends TreeScanner<Void, Void> {
    final Set<String> found;
    final Set<String> nested = new HashSet<>();

    Names(Set<String> found) {
      this.found = found;
    }

    @Override
    public Void visitImport(ImportTree tree, Void nothing) {
      found.addAll(List.of(tree.getQualifiedIdentifier().toString().split("\\.")));
      return null;
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void nothing) {
      found.add(tree.getName().toString());
      return null;
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      nested.add(tree.getSimpleName().toString());
      scan(tree.getModifiers(), null);
      scan(tree.getTypeParameters(), null);
      scan(tree.getExtendsClause(), null);
      scan(tree.getImplementsClause(), null);
      scan(tree.getMembers(), null);
      return null;
    }
  }
}
