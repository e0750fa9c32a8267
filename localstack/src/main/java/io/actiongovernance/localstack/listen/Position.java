package io.actiongovernance.localstack.listen;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.client.Api;
import io.actiongovernance.time.Timestamps;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Position in a list of the API that begins with its newest items. An item appears a little later
 * than its own time. Items shortly before the newest are therefore read repeatedly, and much older
 * ones occasionally. A handled item is not returned twice, however often it is read. Memory is
 * bounded: beyond its limit, items are returned twice rather than not at all. Only one thread may
 * use it.
 */
final class Position {
  /** Usual lag: a late item may be this much older than the newest one. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  /**
   * Greatest lag. It is longer than the time for which work that a failed function left unfinished
   * stays so. Handled items are remembered for this long too.
   */
  static final Duration LONG_SLACK = Duration.ofMinutes(20);

  private static final int MOST_REMEMBERED = 100_000;
  private static final int MOST_AT_ONCE = 5_000;

  private final String path;
  private final String timeField;
  private final Instant began;
  private final Map<String, Instant> handled = new LinkedHashMap<>();
  private Instant newest;

  /**
   * Begins with items of this instant or later.
   *
   * @param path the path of the list
   * @param timeField the field that orders the items
   */
  Position(String path, String timeField, Instant began) {
    this.path = path;
    this.timeField = timeField;
    this.began = began;
    this.newest = began;
  }

  /** An item of the list, and the time that orders it. */
  record Listed(JsonNode item, Instant at) {
    String id() {
      return item.path("id").asText();
    }
  }

  /**
   * Returns items that have not been handled yet, oldest first; if there are too many, only the
   * oldest.
   *
   * @param thorough whether to read back as far as an item may appear late
   */
  List<Listed> unhandled(Api api, boolean thorough) throws IOException, InterruptedException {
    Deque<Listed> found = new ArrayDeque<>();
    String query = path + "?limit=100&since=" + since(thorough);
    JsonNode page = api.get(query);
    while (true) {
      for (JsonNode item : page.path("data")) {
        Listed listed = new Listed(item, Timestamps.read(item.path(timeField).asText()));
        if (!handled.containsKey(listed.id())) {
          found.addFirst(listed);
        }
        if (found.size() > MOST_AT_ONCE) {
          found.removeLast();
        }
      }
      if (!page.path("has_more").booleanValue()) {
        return new ArrayList<>(found);
      }
      page = api.get(query + "&cursor=" + Api.encoded(page.path("next_cursor").textValue()));
    }
  }

  private Instant since(boolean thorough) {
    Instant from = newest.minus(thorough ? LONG_SLACK : SLACK);
    return from.isAfter(began) ? from : began;
  }

  /** Remembers that an item was handled. */
  void handled(Listed item) {
    handled.put(item.id(), item.at());
    if (item.at().isAfter(newest)) {
      newest = item.at();
    }
    Instant forgotten = newest.minus(LONG_SLACK).minus(SLACK);
    Iterator<Map.Entry<String, Instant>> oldest = handled.entrySet().iterator();
    Map.Entry<String, Instant> first = oldest.next();
    while (first.getValue().isBefore(forgotten) || handled.size() > MOST_REMEMBERED) {
      oldest.remove();
      first = oldest.next();
    }
  }
}
