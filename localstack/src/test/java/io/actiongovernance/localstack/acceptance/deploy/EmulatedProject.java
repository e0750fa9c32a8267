package io.actiongovernance.localstack.acceptance.deploy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** This project, built as it is, with another file of the environment {@code localstack}. */
final class EmulatedProject {
  private static final String APP = "infra-cdk";
  private static final String ENVIRONMENTS = "environments";
  private static final String FILE = "localstack.json";

  private EmulatedProject() {}

  /**
   * Makes it of links.
   *
   * @param folder there is none yet
   * @param change what the environment is to say besides
   */
  static Path make(Path folder, Consumer<ObjectNode> change) throws IOException {
    Path app = Stack.PROJECT.resolve(APP);
    Path environments = folder.resolve(APP).resolve(ENVIRONMENTS);
    Files.createDirectories(environments);
    link(folder, List.of(Stack.PROJECT.resolve("functions"), Stack.PROJECT.resolve("localstack")));
    try (Stream<Path> files = Files.list(app)) {
      link(
          folder.resolve(APP),
          files.filter(file -> !file.getFileName().toString().equals(ENVIRONMENTS)).toList());
    }
    ObjectNode environment =
        (ObjectNode) Json.read(Files.readString(app.resolve(ENVIRONMENTS).resolve(FILE)));
    change.accept(environment);
    Files.writeString(environments.resolve(FILE), Json.write(environment));
    return folder;
  }

  private static void link(Path folder, List<Path> files) throws IOException {
    for (Path file : files) {
      Files.createSymbolicLink(folder.resolve(file.getFileName()), file);
    }
  }
}
