package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.OwnersFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The base URL and the key that {@code gov login} keeps, in the system's folder for settings. */
record KeptLogin(URI baseUrl, String key) {
  private static final String FOLDER = "action-governance";

  /** Returns the file, which is the same for every working directory. */
  static Path file(Surroundings surroundings) {
    return folder(surroundings).resolve("login.json");
  }

  private static Path folder(Surroundings surroundings) {
    String system = surroundings.system().toLowerCase(Locale.ROOT);
    Path home = surroundings.home();
    Path folder;
    if (system.startsWith("windows")) {
      folder =
          surroundings.variable("APPDATA").map(Path::of).orElse(home.resolve("AppData/Roaming"));
    } else if (system.startsWith("mac")) {
      folder = home.resolve("Library/Application Support");
    } else {
      // A path that is not absolute must be ignored (XDG base directories).
      folder =
          surroundings
              .variable("XDG_CONFIG_HOME")
              .map(Path::of)
              .filter(Path::isAbsolute)
              .orElse(home.resolve(".config"));
    }
    return folder.resolve(FOLDER);
  }

  static Optional<KeptLogin> read(Surroundings surroundings) throws IOException, Failure {
    Path file = file(surroundings);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      JsonNode kept = Json.parse(Files.readAllBytes(file));
      if (kept.path("base_url").isTextual() && kept.path("key").isTextual()) {
        return Optional.of(
            new KeptLogin(
                Connection.address(kept.path("base_url").textValue()),
                kept.path("key").textValue()));
      }
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      // The failure below tells the user what to do.
    }
    throw Failure.of(file + " does not hold a login. Log in again with gov login --key.");
  }

  void keep(Surroundings surroundings) throws IOException {
    OwnersFile.createFolder(folder(surroundings));
    ObjectNode kept = Json.object().put("base_url", baseUrl.toString()).put("key", key);
    OwnersFile.write(file(surroundings), Json.write(kept) + "\n");
  }
}
