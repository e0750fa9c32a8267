package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.shape.ModuleShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Prints what can be counted of each module, with every build. */
final class ModuleFiguresTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RESOURCES = ROOT.resolve("functions/src/main/resources");
  private static final String ROW = "%-14s %9s %9s %9s %9s %9s %9s %9s%n";
  private static final int LONG = 400;

  @Test
  void theFiguresOfAllModulesArePrinted() throws IOException {
    StringBuilder table = new StringBuilder("Figures of the modules\n");
    table.append(
        ROW.formatted("", "packages", "files", "files", "wide", "files", "lines", "lines"));
    table.append(
        ROW.formatted("", "in", "in", "of one", "construc-", "over " + LONG, "of main", "of test"));
    table.append(
        ROW.formatted("", "circles", "a circle", "package", "tors", "lines", "Java", "Java"));
    for (String module : List.of("shared-domain", "functions", "infra-cdk", "localstack")) {
      // A build of some modules alone may have compiled no others.
      boolean compiled = Files.exists(ROOT.resolve(module).resolve("target/classes"));
      table.append(compiled ? row(module) : module + ": not compiled\n");
    }
    table.append("Lines of JSON of the contract: ").append(linesOfTheContract());
    System.out.println(table);
  }

  private static String row(String module) throws IOException {
    Path folder = ROOT.resolve(module);
    ModuleShape shape = ModuleShape.of(folder);
    long main = lines(folder.resolve("src/main"), ".java");
    assertThat(main).isPositive();
    return ROW.formatted(
        module,
        sizes(shape.circlesAmongPackages()),
        largest(shape.circlesAmongFiles()),
        largest(shape.circlesWithinPackages()),
        shape.wideConstructors().size(),
        longFiles(folder.resolve("src/main")),
        main,
        lines(folder.resolve("src/test"), ".java"));
  }

  private static String sizes(List<? extends Collection<String>> circles) {
    return circles.isEmpty()
        ? "0"
        : circles.stream().map(circle -> "" + circle.size()).collect(Collectors.joining("+"));
  }

  private static int largest(List<? extends Collection<String>> circles) {
    return circles.stream().mapToInt(Collection::size).max().orElse(0);
  }

  /**
   * What of the contract is written as JSON instead of being made from the code: nothing. State
   * machines are no part of it.
   */
  private static long linesOfTheContract() throws IOException {
    return lines(RESOURCES, ".json") - lines(RESOURCES.resolve("asl"), ".json");
  }

  private static long longFiles(Path folder) throws IOException {
    return lengths(folder, ".java").stream().filter(lines -> lines > LONG).count();
  }

  private static long lines(Path folder, String ending) throws IOException {
    return lengths(folder, ending).stream().mapToLong(Long::longValue).sum();
  }

  /** The lines of each file in a folder, or of a file, of which the name ends like this. */
  private static List<Long> lengths(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Long> lengths = new ArrayList<>();
      for (Path file : (Iterable<Path>) files::iterator) {
        if (file.toString().endsWith(ending)) {
          lengths.add((long) Files.readAllLines(file).size());
        }
      }
      return lengths;
    }
  }
}
