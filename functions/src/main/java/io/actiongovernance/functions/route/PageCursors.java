package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Cursors. Each is {@code cur_} and a sealed position that opens only for its own tenant, mode and
 * query, until it expires (contract, section 1, Lists). Only this service can read or create them.
 * Thread-safe.
 */
public final class PageCursors {
  public static final String PREFIX = "cur_";

  /** Lifetime of an ordinary list's cursors. */
  public static final Duration LIFETIME = Duration.ofHours(24);

  private final Sealer sealer;
  private final InstantSource clock;

  public PageCursors(Sealer sealer, InstantSource clock) {
    this.sealer = sealer;
    this.clock = clock;
  }

  private record Content(String position, long expires) {}

  /**
   * Seals a position into a cursor.
   *
   * @param binding the query that the cursor is for, as a text that two different queries never
   *     share
   * @param position the start of the next page, opaque to all but the list
   */
  public String seal(Partition partition, String binding, String position, Instant expires) {
    String content = Json.write(new Content(position, expires.toEpochMilli()));
    byte[] text = content.getBytes(StandardCharsets.UTF_8);
    return PREFIX + sealer.seal(Sealer.Purpose.CURSOR, context(partition, binding), text);
  }

  /**
   * Returns the position in a cursor.
   *
   * @throws ApiException {@code invalid_cursor} if the cursor is malformed or expired, or was
   *     sealed for anything else
   */
  public String open(Partition partition, String binding, String cursor) {
    Optional<Content> content =
        cursor.startsWith(PREFIX)
            ? sealer
                .open(
                    Sealer.Purpose.CURSOR,
                    context(partition, binding),
                    cursor.substring(PREFIX.length()))
                .map(PageCursors::content)
            : Optional.empty();
    return content
        .filter(found -> clock.millis() < found.expires())
        .map(Content::position)
        .orElseThrow(PageCursors::invalid);
  }

  private static Content content(byte[] text) {
    JsonNode read = Json.read(new String(text, StandardCharsets.UTF_8));
    return Json.convert(read, Content.class);
  }

  private static String context(Partition partition, String binding) {
    return partition.key() + "\n" + binding;
  }

  /** The error for an unusable cursor. */
  public static ApiException invalid() {
    return new ApiException(
        new ApiError(
            ErrorCode.INVALID_CURSOR,
            "The cursor is malformed, has expired, or was issued for a different query."
                + " Start again from the first page.",
            "cursor",
            null,
            null));
  }
}
