import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Rewrites a source tree for names of Tagfabric that have changed:
 *
 * <pre>
 *  java Rewrite.java old-new.tsv DIR            rewrites files
 *  java Rewrite.java --check old-new.tsv DIR    changes nothing; ends with 1 if a file would change
 * </pre>
 *
 * <p>Each line of the table has the full name of a type, and what that is called now. In Java files
 * imports, full names, and simple names that an import or the file's package makes known are
 * rewritten; in {@code .conf}, {@code .kt}, {@code .md}, {@code .properties}, {@code .scala} and
 * {@code .xml} files full names, and so are the names of files in {@code META-INF/services}. A
 * second run changes nothing.
 */
public final class Rewrite {
  private static final Set<String> TEXT =
      Set.of("conf", "java", "kt", "md", "properties", "scala", "xml");
  private static final Set<String> SKIPPED = Set.of(".git", "target", "build");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import (static )?([\\w.*]+);\n");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);\n");

  /** A type: its package, and its name within that, which has dots if it is nested. */
  private record Type(String home, String name) {
    static Type of(String full) {
      Matcher type = Pattern.compile("\\.(?=[A-Z])").matcher(full);
      if (!type.find()) {
        throw new IllegalArgumentException("no type: " + full);
      }
      return new Type(full.substring(0, type.start()), full.substring(type.end()));
    }

    String full() {
      return home + "." + name;
    }

    /** The name of the type around it, or its own. */
    String outer() {
      return name.split("\\.")[0];
    }
  }

  private final Map<Type, Type> moves = new LinkedHashMap<>();

  private Rewrite(Path table) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(table));
    lines.remove(0);
    // A nested type before the one around it.
    lines.sort((a, b) -> b.split("\t")[0].length() - a.split("\t")[0].length());
    for (String line : lines) {
      String[] names = line.split("\t");
      if (names.length != 2) {
        throw new IllegalArgumentException("two names and a tab are due in line [" + line + "]");
      }
      moves.put(Type.of(names[0]), Type.of(names[1]));
    }
  }

  public static void main(String[] args) {
    boolean check = args.length == 3 && args[0].equals("--check");
    if (args.length != (check ? 3 : 2)) {
      System.err.println("Usage: java Rewrite.java [--check] TABLE DIR");
      System.exit(2);
    }
    Path table = Path.of(args[args.length - 2]);
    Path root = Path.of(args[args.length - 1]);
    if (!Files.isRegularFile(table) || !Files.isDirectory(root)) {
      System.err.println("Rewrite: " + table + " must be a file and " + root + " a directory");
      System.exit(2);
    }
    int changed = 0;
    try {
      changed = new Rewrite(table).tree(root, check);
    } catch (IllegalArgumentException | IOException e) {
      System.err.println("Rewrite: " + e + "; run it again when that is mended");
      System.exit(2);
    }
    System.out.println((check ? "would change " : "changed ") + changed + " files");
    System.exit(check && changed > 0 ? 1 : 0);
  }

  private int tree(Path root, boolean check) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(file -> Files.isRegularFile(file) && isRead(root, file)).sorted().toList();
    }
    int changed = 0;
    for (Path file : files) {
      Path named = file.resolveSibling(fullNames(file.getFileName().toString()));
      // Each byte is a character, so the file may have any encoding that has ASCII in it.
      String before = Files.readString(file, StandardCharsets.ISO_8859_1);
      String after = file.toString().endsWith(".java") ? java(before) : fullNames(before);
      if (!after.equals(before) || !named.equals(file)) {
        changed++;
        System.out.println(named);
        if (!check) {
          Files.writeString(file, after, StandardCharsets.ISO_8859_1);
          Files.move(file, named);
        }
      }
    }
    return changed;
  }

  private static boolean isRead(Path root, Path file) {
    for (Path part : root.relativize(file)) {
      if (SKIPPED.contains(part.toString())) {
        return false;
      }
    }
    String name = file.getFileName().toString();
    return TEXT.contains(name.substring(name.lastIndexOf('.') + 1))
        || file.getParent().endsWith("META-INF/services");
  }

  private String fullNames(String text) {
    String all = text;
    for (Map.Entry<Type, Type> move : moves.entrySet()) {
      all = replace(all, move.getKey().full(), move.getValue().full());
    }
    return all;
  }

  /** Replaces a name where it is not part of a longer one. */
  private static String replace(String text, String old, String now) {
    return Pattern.compile("(?<![\\w.])" + Pattern.quote(old) + "(?!\\w)")
        .matcher(text)
        .replaceAll(Matcher.quoteReplacement(now));
  }

  private String java(String text) {
    Set<String> imports = new TreeSet<>();
    IMPORT.matcher(text).results().forEach(found -> imports.add(found.group(2)));
    Matcher home = PACKAGE.matcher(text);
    String own = home.find() ? home.group(1) : "";
    String body = text;
    Set<String> added = new TreeSet<>();
    for (Map.Entry<Type, Type> move : moves.entrySet()) {
      Type old = move.getKey();
      Type now = move.getValue();
      boolean byPackage = imports.contains(old.home() + ".*") || own.equals(old.home());
      boolean known = byPackage || imports.contains(old.home() + "." + old.outer());
      if (known && names(outside(body), old.name())) {
        body = inBody(body, old.name(), now.name());
        if (byPackage || !old.outer().equals(old.name())) {
          added.add(now.home() + "." + now.outer());
        }
      }
    }
    body = fullNames(body);
    return added.isEmpty() && body.equals(text) ? text : withImports(body, own, added);
  }

  /** Whether a text names a type, and not only as code in a comment. */
  private static boolean names(String text, String type) {
    String seen = text.replaceAll("\\{@code [^}]*\\}", "");
    return !replace(seen, type, "").equals(seen);
  }

  /** What is behind the imports. */
  private static String outside(String text) {
    int end = 0;
    for (Matcher line = IMPORT.matcher(text); line.find(); ) {
      end = line.end();
    }
    return text.substring(end);
  }

  private static String inBody(String text, String old, String now) {
    String body = outside(text);
    return text.substring(0, text.length() - body.length()) + replace(body, old, now);
  }

  /** Puts the imports in order, each once, without those that nothing needs any more. */
  private static String withImports(String text, String own, Set<String> added) {
    String body = outside(text);
    Set<String> all = new TreeSet<>();
    Set<String> statics = new TreeSet<>();
    for (Matcher line = IMPORT.matcher(text); line.find(); ) {
      (line.group(1) == null ? all : statics).add(line.group(2));
    }
    all.addAll(added);
    all.removeIf(
        name -> {
          String simple = name.substring(name.lastIndexOf('.') + 1);
          boolean used = simple.equals("*") || !replace(body, simple, "").equals(body);
          return !used || (!own.isEmpty() && name.equals(own + "." + simple));
        });
    StringBuilder block = new StringBuilder();
    statics.forEach(name -> block.append("import static ").append(name).append(";\n"));
    block.append(statics.isEmpty() || all.isEmpty() ? "" : "\n");
    all.forEach(name -> block.append("import ").append(name).append(";\n"));
    Matcher first = IMPORT.matcher(text);
    Matcher home = PACKAGE.matcher(text);
    String head;
    if (first.find()) {
      head = text.substring(0, first.start());
    } else {
      int end = home.find() ? home.end() : 0;
      return text.substring(0, end) + "\n" + block + text.substring(end);
    }
    return head + block + body;
  }
}
