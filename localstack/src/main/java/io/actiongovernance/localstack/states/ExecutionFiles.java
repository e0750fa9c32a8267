package io.actiongovernance.localstack.states;

import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Executions of a machine that have not ended. Each is in its own file, so that they survive a
 * restart. Thread-safe for different executions.
 */
final class ExecutionFiles {
  private static final String ENDING = ".json";

  private final Path folder;

  ExecutionFiles(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /** Writes an execution by a single rename, so that nobody ever reads an incomplete file. */
  void write(Execution execution) {
    Path file = file(execution.name());
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      Files.writeString(next, Json.write(execution));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void delete(String name) {
    try {
      Files.deleteIfExists(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Execution> all() throws IOException {
    List<Execution> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(ENDING)).toList()) {
        found.add(Json.read(Files.readString(file), Execution.class));
      }
    }
    return found;
  }

  private Path file(String name) {
    return folder.resolve(name + ENDING);
  }
}
