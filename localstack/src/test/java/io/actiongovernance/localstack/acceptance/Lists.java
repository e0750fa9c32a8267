package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What holds of every list (specification, List envelope; contract, section 1). */
final class Lists {
  private Lists() {}

  /** Reads page after page, and yields all identifiers. */
  static List<String> readAll(Api api, String path, int limit) {
    List<String> ids = new ArrayList<>();
    String cursor = null;
    do {
      JsonNode page = Shape.LIST.of(page(api, path, limit, cursor).is(200));
      assertThat(page.path("object").asText()).isEqualTo("list");
      assertThat(page.path("data").size()).isLessThanOrEqualTo(limit);
      page.path("data").forEach(item -> ids.add(item.path("id").asText()));
      assertThat(page.path("has_more").asBoolean()).isEqualTo(page.path("next_cursor").isTextual());
      cursor = page.path("next_cursor").textValue();
    } while (cursor != null);
    return ids;
  }

  /** Requires the list to hold these, newest first, however it is paged. */
  static void hold(Api api, String path, List<String> newestFirst) {
    for (int limit = 1; limit <= newestFirst.size() + 1; limit++) {
      assertThat(readAll(api, path, limit))
          .describedAs("%s by %s", path, limit)
          .containsExactlyElementsOf(newestFirst);
    }
  }

  /** Requires the list, whose filters these are, to bind its cursors to them. */
  static void bindCursors(Api api, String path, String otherFilter, String otherRoute) {
    String cursor = page(api, path, 1, null).is(200).path("next_cursor").asText();
    page(api, path, 2, cursor).is(200);
    page(api, path + otherFilter, 1, cursor).isError(400, "invalid_cursor");
    page(api, otherRoute, 1, cursor).isError(400, "invalid_cursor");
    page(api, path, 1, cursor + "x").isError(400, "invalid_cursor");
    page(api, path, 1, "cur_nonsense").isError(400, "invalid_cursor");
  }

  /** Requires a list to refuse what no list takes. */
  static void refuseNonsense(Api api, String path) {
    api.get(path + "?limit=0").isInvalid("limit");
    api.get(path + "?limit=101").isInvalid("limit");
    api.get(path + "?limit=ten").isInvalid("limit");
    api.get(path + "?since=yesterday").isInvalid("since");
    api.get(path + "?until=2026-13-01T00:00:00Z").isInvalid("until");
    api.get(path + "?colour=red").isInvalid("colour");
    assertThat(api.get(path + "?limit=100").status()).isEqualTo(200);
  }

  private static Answer page(Api api, String path, int limit, @Nullable String cursor) {
    String joint = path.contains("?") ? "&" : "?";
    return api.get(
        path + joint + "limit=" + limit + (cursor == null ? "" : "&cursor=" + Api.encode(cursor)));
  }
}
