package io.actiongovernance.localstack.bench;

import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.fixture.Folders;
import io.actiongovernance.localstack.runtime.DeployedFunctions;
import io.actiongovernance.localstack.runtime.DeployedService;
import io.actiongovernance.localstack.runtime.DeployedZip;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The zip that is deployed, unpacked, with a process for each function that runs out of it. */
final class OutOfZip implements AutoCloseable {
  private final Path folder;
  private final Path logs;
  private final DeployedZip zip;
  private final Map<String, String> settings;
  private @Nullable DeployedFunctions functions;

  /**
   * @param settings of the functions, beside those of {@link OwnStack}
   */
  OutOfZip(Map<String, String> settings) throws IOException {
    this.folder = Files.createTempDirectory("bench-zip");
    this.logs = Files.createDirectories(folder.resolve("log"));
    this.zip = DeployedZip.unpack(folder.resolve("task"), entry -> true);
    this.settings = new HashMap<>(OwnStack.SETTINGS);
    this.settings.putAll(settings);
  }

  /** A service of which these functions run out of the zip, and the others in the stack. */
  Service service(Predicate<String> names) {
    return DeployedService.of(this::started, names);
  }

  /** Those of the service, which a stack has been started with. */
  DeployedFunctions functions() {
    return Objects.requireNonNull(functions, "No stack was started with them.");
  }

  /** For what else a bench keeps until it ends. */
  Path folder() {
    return folder;
  }

  /** What the functions have logged. */
  Path logs() {
    return logs;
  }

  private DeployedFunctions started(Wiring wiring) {
    if (functions == null) {
      try {
        functions = new DeployedFunctions(zip, wiring, settings, logs);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return functions;
  }

  @Override
  public void close() throws IOException {
    if (functions != null) {
      functions.close();
    }
    Folders.delete(folder);
  }
}
