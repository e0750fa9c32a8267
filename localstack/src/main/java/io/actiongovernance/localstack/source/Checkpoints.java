package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Positions up to which a stream has been relayed, by shard, in a file that survives a restart. The
 * queues of this stack do not survive one. So the file is written only when everything that the
 * changes led to is handled; changes that may still be on a queue come again. Not thread-safe.
 */
public final class Checkpoints {
  /**
   * @param after the last sequence number that was handled, or null if none was
   * @param finished whether the shard is closed and was handled to its end
   */
  record Position(@Nullable String after, boolean finished) {}

  private static final Position START = new Position(null, false);

  private final Path file;
  private final Map<String, Position> positions = new HashMap<>();
  private boolean unwritten;

  public Checkpoints(Path file) {
    this.file = file;
    if (Files.exists(file)) {
      read();
    }
  }

  Position of(String shard) {
    return positions.getOrDefault(shard, START);
  }

  void set(String shard, Position position) {
    positions.put(shard, position);
    unwritten = true;
  }

  /** Returns whether the file is out of date. */
  boolean unwritten() {
    return unwritten;
  }

  /** Forgets shards that no longer exist. */
  void retain(Set<String> shards) {
    if (positions.keySet().retainAll(shards)) {
      unwritten = true;
    }
  }

  private void read() {
    try {
      for (Map.Entry<String, JsonNode> shard : Json.read(Files.readString(file)).properties()) {
        JsonNode position = shard.getValue();
        positions.put(
            shard.getKey(),
            new Position(
                position.path("after").textValue(), position.path("finished").booleanValue()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the file; changes up to the positions set so far will not come again. */
  void write() {
    ObjectNode json = Json.object();
    positions.forEach(
        (shard, position) ->
            json.putObject(shard)
                .put("after", position.after())
                .put("finished", position.finished()));
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      Files.writeString(next, Json.write(json));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      unwritten = false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
