package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.List;

/** The published document's description of paging. Stateless. */
final class Paging {
  private static final int MOST = 100;
  private static final int USUAL = 20;

  private Paging() {}

  static List<OperationDocument.Parameter> parameters() {
    ObjectNode limit =
        parameter(
            "limit",
            "Maximum number of items on a page, 1 to 100; a page may hold fewer although more"
                + " follow. In revision 2026-05-01 the default is 10.");
    limit
        .putObject("schema")
        .put("type", "integer")
        .put("minimum", 1)
        .put("maximum", MOST)
        .put("default", USUAL);
    limit.put("example", USUAL);
    ObjectNode cursor =
        parameter(
            "cursor",
            "`next_cursor` of the previous page. Every other parameter except `limit` must stay"
                + " the same. Valid for 24 hours, for the same tenant, mode and route.");
    cursor.putObject("schema").put("type", "string");
    cursor.put("example", "cur_1cq0Zt8VxNftPVz9j3hADLE6QUSCGAgjuuPJWFPaHB");
    return List.of(
        new OperationDocument.Parameter("limit", "query", limit),
        new OperationDocument.Parameter("cursor", "query", cursor));
  }

  private static ObjectNode parameter(String name, String description) {
    return Json.object().put("name", name).put("in", "query").put("description", description);
  }

  /**
   * The envelope for a page of these records. It becomes a component whose name is the records'
   * name and {@code List}.
   */
  static ObjectNode envelope(Class<?> item, PublishedSchemas schemas) {
    String name = PublishedSchemas.name(item) + "List";
    if (!schemas.components().has(name)) {
      ObjectNode list = schemas.components().putObject(name).put("type", "object");
      list.put("description", "A page of a list.");
      list.putArray("required").add("object").add("data").add("has_more").add("next_cursor");
      ObjectNode properties = list.putObject("properties");
      properties
          .putObject("object")
          .put("type", "string")
          .put("description", "Always `list`.")
          .put("const", "list");
      properties
          .putObject("data")
          .put("type", "array")
          .put("description", "The items, newest first unless the list says otherwise.")
          .set("items", schemas.reference(item, PublishedSchemas.Side.ANSWER));
      properties
          .putObject("has_more")
          .put("type", "boolean")
          .put("description", "True if there are more pages.");
      properties
          .putObject("next_cursor")
          .put("description", "`cursor` of the next page; null if there are no more.")
          .putArray("type")
          .add("string")
          .add("null");
    }
    return Json.object().put("$ref", "#/components/schemas/" + name);
  }
}
