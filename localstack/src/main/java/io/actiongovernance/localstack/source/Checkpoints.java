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
 * queues of this stack do not survive a restart. The file is therefore written only when everything
 * that the changes caused has been handled; changes that may still be on a queue are relayed again.
 * Not thread-safe.
 */
public final class Checkpoints {
  /**
   * @param after the last sequence number that was handled, or null if none was
   * @param finished whether the shard is closed and has been handled to its end
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

  /** Returns whether positions have changed since the file was written. */
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

  /** Writes the file. Changes up to the positions set so far will not be relayed again. */
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
