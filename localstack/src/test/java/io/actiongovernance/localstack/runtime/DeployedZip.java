package io.actiongovernance.localstack.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The zip that is deployed, unpacked into a folder as Lambda does.
 *
 * @param root what stands for {@code /var/task}
 */
public record DeployedZip(Path root) {
  /** Built by {@code mvn package} and what follows it, unless with {@code -Dfast}. */
  private static final Path BUILT =
      Path.of(System.getProperty("governance.zip", "../functions/target/functions-lambda.zip"));

  public static boolean isBuilt() {
    return Files.isRegularFile(BUILT);
  }

  /** Unpacks those of its entries whose names are kept into an empty folder. */
  public static DeployedZip unpack(Path folder, Predicate<String> kept) throws IOException {
    return unpack(BUILT, folder, kept);
  }

  /** The same of a zip that was deployed somewhere. */
  public static DeployedZip unpack(Path file, Path folder, Predicate<String> kept)
      throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : zip.stream().filter(one -> !one.isDirectory()).toList()) {
        if (kept.test(entry.getName())) {
          Path unpacked = folder.resolve(entry.getName());
          Files.createDirectories(unpacked.resolveSibling("."));
          Files.copy(zip.getInputStream(entry), unpacked);
        }
      }
    }
    return new DeployedZip(folder);
  }
}
