package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.infra.restore.WantedTable;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;

/**
 * The next generation of a table, as in the template of the deployment that uses it.
 *
 * @param logical the table's logical id in the template
 * @param body the table's definition in the template
 */
record RestoredResource(String logical, JsonNode body) {
  /**
   * Synthesises the resource.
   *
   * @param next the environment that uses that generation
   * @param out the folder for the output
   */
  static RestoredResource of(Environment next, Table table, Path out) {
    App app = new App(AppProps.builder().outdir(out.toString()).build());
    DataStack data = new DataStack(app, next, true);
    GovernanceApp.tag(app, next);
    String logical = DataStack.logical(table, next.tables().generation(table));
    Path template = Path.of(app.synth().getStackByName(data.getStackName()).getTemplateFullPath());
    return new RestoredResource(logical, StackSize.resources(template).path(logical));
  }

  /** The properties to create the table with, and those to set after it is restored. */
  WantedTable wanted(Place place) {
    return WantedTable.of(
        body,
        Map.of(
            "AWS::Partition", place.partition(),
            "AWS::Region", place.region(),
            "AWS::AccountId", place.account()));
  }

  /** Only the resource, to be added to the deployed template. */
  String resource() {
    ObjectNode resource = Json.object();
    resource.set(logical, body);
    return resource.toPrettyString();
  }

  /** The resource in CloudFormation's format for imports. */
  String toImport() {
    ObjectNode imported = Json.object();
    imported.put("ResourceType", body.path("Type").asText());
    imported.put("LogicalResourceId", logical);
    imported
        .putObject("ResourceIdentifier")
        .put("TableName", body.at("/Properties/TableName").asText());
    return Json.tree(List.of(imported)).toPrettyString();
  }
}
