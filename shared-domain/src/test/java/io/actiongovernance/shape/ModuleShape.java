package io.actiongovernance.shape;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.tngtech.archunit.base.ArchUnitException;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * What of a module's shape can be counted: which of its packages and files depend on each other in
 * a circle, and which of its constructors take too much. Immutable.
 *
 * <p>A file is a class with all that is nested in it. It depends on another if its bytecode names
 * it, or if its source imports it: a compile-time constant of another package leaves no trace but
 * the import.
 */
public final class ModuleShape {
  /** As many collaborators as a class, or a record of them, may have. */
  static final int COLLABORATORS = 6;

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(io\\.actiongovernance\\.[\\w.]+);", Pattern.MULTILINE);

  /** Of Java's own types those that do something. */
  private static final Pattern ACTIVE =
      Pattern.compile("java\\.time\\.InstantSource|java\\.util\\.(random|function)\\..*");

  static {
    // It tells of every class that it reads.
    ((Logger) LoggerFactory.getLogger("com.tngtech.archunit")).setLevel(Level.WARN);
  }

  private final JavaClasses classes;
  private final Map<String, Set<String>> files;

  private ModuleShape(JavaClasses classes, Map<String, Set<String>> files) {
    this.classes = classes;
    this.files = files;
  }

  /** The shape of the compiled module in a folder, without its tests. */
  public static ModuleShape of(Path module) throws IOException {
    JavaClasses classes = new ClassFileImporter().importPath(module.resolve("target/classes"));
    Map<String, Set<String>> files = new TreeMap<>();
    for (JavaClass each : classes) {
      Set<String> used = files.computeIfAbsent(file(each), file -> new TreeSet<>());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        used.add(file(dependency.getTargetClass()));
      }
    }
    for (Map.Entry<String, Set<String>> file : files.entrySet()) {
      file.getValue().addAll(imported(module, file.getKey()));
    }
    files.values().forEach(used -> used.retainAll(files.keySet()));
    files.forEach((file, used) -> used.remove(file));
    return new ModuleShape(classes, files);
  }

  /** The outermost class that holds a class, or an array of it. */
  private static String file(JavaClass each) {
    String name = each.getBaseComponentType().getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** What a file imports, with every class that holds what it imports. */
  private static Set<String> imported(Path module, String file) throws IOException {
    Path source = module.resolve("src/main/java").resolve(file.replace('.', '/') + ".java");
    Set<String> names = new TreeSet<>();
    IMPORT
        .matcher(Files.readString(source))
        .results()
        .map(found -> found.group(1))
        .forEach(
            name -> {
              for (String n = name; n.contains("."); n = packageOf(n)) {
                names.add(n);
              }
            });
    return names;
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  JavaClasses classes() {
    return classes;
  }

  /** Circles among packages, each by its name. */
  public List<SortedSet<String>> circlesAmongPackages() {
    Map<String, Set<String>> packages = new TreeMap<>();
    files.forEach(
        (file, used) -> {
          Set<String> ofPackage =
              packages.computeIfAbsent(packageOf(file), name -> new TreeSet<>());
          used.forEach(other -> ofPackage.add(packageOf(other)));
          ofPackage.remove(packageOf(file));
        });
    return Circles.of(packages);
  }

  /** Circles among files, whatever packages these are in. */
  public List<SortedSet<String>> circlesAmongFiles() {
    return Circles.of(files);
  }

  /** Circles among the files of one package. */
  public List<SortedSet<String>> circlesWithinPackages() {
    Map<String, Set<String>> within = new TreeMap<>();
    files.forEach(
        (file, used) -> {
          Set<String> own = new TreeSet<>(used);
          own.removeIf(other -> !packageOf(other).equals(packageOf(file)));
          within.put(file, own);
        });
    return Circles.of(within);
  }

  /**
   * The classes of which a constructor takes more than six collaborators, and the records that
   * group more than six, each with its number.
   *
   * <p>Every constructor parameter of a class is a collaborator, values included, since the caller
   * has to bring it. A record may have as many fields as the document that it holds; of its
   * components only those count that do something: of our own types those that are neither records
   * nor enums, and Java's clocks, random generators and functions.
   */
  public List<String> wideConstructors() {
    return classes.stream()
        .filter(each -> !each.isEnum() && !each.isAnonymousClass() && !each.isLocalClass())
        .flatMap(
            each -> widths(each).filter(w -> w > COLLABORATORS).map(w -> each.getName() + " " + w))
        .sorted()
        .toList();
  }

  private static Stream<Integer> widths(JavaClass each) {
    return each.isRecord()
        ? Stream.of((int) each.getFields().stream().filter(ModuleShape::collaborates).count())
        : each.getConstructors().stream().map(ModuleShape::taken);
  }

  /** How much a constructor takes besides the object that holds its own, of an inner class. */
  private static int taken(JavaConstructor constructor) {
    int taken = constructor.getRawParameterTypes().size();
    return constructor.getOwner().isInnerClass() ? taken - 1 : taken;
  }

  private static boolean collaborates(JavaField component) {
    JavaClass type = component.getRawType();
    boolean ours = type.getPackageName().startsWith("io.actiongovernance");
    return !component.getModifiers().contains(JavaModifier.STATIC)
        && (ours ? !isValue(type) : ACTIVE.matcher(type.getName()).matches());
  }

  /** A record, an enum, or a choice among such. */
  private static boolean isValue(JavaClass type) {
    return type.isRecord() || type.isEnum() || isChoice(type);
  }

  private static boolean isChoice(JavaClass type) {
    try {
      return isChoice(type.reflect());
    } catch (ArchUnitException.ReflectionException _) {
      // Of a module that is not on the class path of this test.
      return false;
    }
  }

  private static boolean isChoice(Class<?> type) {
    return type.isSealed()
        && Stream.of(type.getPermittedSubclasses())
            .allMatch(each -> each.isRecord() || each.isEnum() || isChoice(each));
  }
}
