package io.actiongovernance.localstack.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Output of the CDK app (a cloud assembly).
 *
 * @param stacks in an order in which they can be deployed
 * @param assets the files that must be in their buckets before the stacks are deployed
 */
public record Assembly(List<Template> stacks, List<Asset> assets) {
  public Assembly {
    stacks = List.copyOf(stacks);
    assets = List.copyOf(assets);
  }

  /**
   * A stack's template.
   *
   * @param location where the template will be: {@code s3://bucket/key}, with placeholders for
   *     account and region
   */
  public record Template(String stack, String location, Map<String, String> tags) {
    public Template {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * A file, and the object it is uploaded as.
   *
   * @param bucket with placeholders for account and region
   */
  public record Asset(Path file, String bucket, String key) {}

  /** Reads the folder that the CDK app wrote. */
  public static Assembly read(Path folder) throws IOException {
    JsonNode artifacts =
        Json.read(Files.readString(folder.resolve("manifest.json"))).path("artifacts");
    Set<String> order = new LinkedHashSet<>();
    artifacts.fieldNames().forEachRemaining(artifact -> add(order, artifact, artifacts));
    List<Template> stacks = new ArrayList<>();
    Set<Asset> assets = new LinkedHashSet<>();
    for (String name : order) {
      JsonNode artifact = artifacts.path(name);
      JsonNode properties = artifact.path("properties");
      switch (artifact.path("type").asText()) {
        case "aws:cloudformation:stack" ->
            stacks.add(
                new Template(
                    properties.path("stackName").asText(name),
                    properties.path("stackTemplateAssetObjectUrl").asText(),
                    texts(properties.path("tags"))));
        case "cdk:asset-manifest" -> assets.addAll(files(folder, properties.path("file").asText()));
        default -> {} // other artifacts are for the CDK's own tools
      }
    }
    return new Assembly(stacks, List.copyOf(assets));
  }

  /** Adds an artifact after all artifacts that it depends on. */
  private static void add(Set<String> order, String name, JsonNode artifacts) {
    if (!order.contains(name)) {
      artifacts
          .path(name)
          .path("dependencies")
          .forEach(needed -> add(order, needed.asText(), artifacts));
      order.add(name);
    }
  }

  private static List<Asset> files(Path folder, String manifest) throws IOException {
    List<Asset> assets = new ArrayList<>();
    for (JsonNode file : Json.read(Files.readString(folder.resolve(manifest))).path("files")) {
      if (!file.at("/source/packaging").asText().equals("file")) {
        throw new IOException(manifest + " has an asset that is not a file: " + file);
      }
      for (JsonNode destination : file.path("destinations")) {
        assets.add(
            new Asset(
                folder.resolve(file.at("/source/path").asText()),
                destination.path("bucketName").asText(),
                destination.path("objectKey").asText()));
      }
    }
    return assets;
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }
}
