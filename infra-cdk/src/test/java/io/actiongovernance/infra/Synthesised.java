package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.assertions.Template;

/** The templates of an environment, synthesised once for all tests. */
final class Synthesised {
  /** The production environment, whose promises are the strictest, with all that it may have. */
  static final Synthesised PROD = of(whole());

  /** The production environment with a collector of spans, so that every trigger is in it. */
  static Environment whole() {
    return Environment.named("prod")
        .with(Map.of(Settings.OTLP_ENDPOINT, "https://collector.example"));
  }

  private final Map<String, JsonNode> templates;

  private Synthesised(Map<String, JsonNode> templates) {
    this.templates = templates;
  }

  static Synthesised of(Environment environment) {
    return of(environment, "");
  }

  /**
   * @param code what stands for the content of the zip, which a template names by its hash
   */
  static Synthesised of(Environment environment, String code) {
    return of(environment, code, true);
  }

  /** As it is deployed the first time. */
  static Synthesised first(Environment environment) {
    return of(environment, "", false);
  }

  private static Synthesised of(Environment environment, String code, boolean deployed) {
    Node.require();
    try {
      Path zip = Files.createTempFile("functions", ".zip");
      Files.writeString(zip, code);
      Path out = Files.createTempDirectory("cdk.out");
      App app = new App(AppProps.builder().outdir(out.toString()).build());
      Map<String, JsonNode> templates = new LinkedHashMap<>();
      for (Stack stack : GovernanceApp.stacks(app, environment, deployed, zip)) {
        templates.put(
            stack.getStackName().substring(environment.prefix().length() + 1),
            Json.tree(Template.fromStack(stack).toJSON()));
      }
      Files.delete(zip);
      delete(out);
      return new Synthesised(templates);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the command line gives by {@code -c}. */
  static software.constructs.Node context(Map<String, String> context) {
    Node.require();
    return new App(AppProps.builder().context(context).build()).getNode();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  /**
   * The templates by what their stack's name ends in: data, queues, service, routes-work, api-work,
   * api, observability and so on.
   */
  Map<String, JsonNode> templates() {
    return templates;
  }

  /** A resource: its logical identifier and what the template says of it. */
  record Resource(String id, JsonNode body) {
    JsonNode property(String pointer) {
      return body.at("/Properties" + pointer);
    }

    String text(String pointer) {
      return property(pointer).asText();
    }
  }

  /** All resources of a type, in any stack. */
  List<Resource> all(String type) {
    return templates.values().stream()
        .flatMap(template -> template.path("Resources").properties().stream())
        .filter(entry -> entry.getValue().path("Type").textValue().equals(type))
        .map(entry -> new Resource(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** The resource of the type whose property has the text. */
  Resource one(String type, String pointer, String text) {
    List<Resource> found =
        all(type).stream().filter(resource -> resource.text(pointer).equals(text)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " " + type + " with " + pointer + " = " + text);
    }
    return found.getFirst();
  }

  Resource function(String name) {
    return function("governance-prod", name);
  }

  Resource function(String prefix, String name) {
    return one("AWS::Lambda::Function", "/FunctionName", prefix + "-" + name);
  }

  /** The logical identifier of the alias by which a function is invoked. */
  String alias(String function) {
    return one("AWS::Lambda::Alias", "/FunctionName/Ref", function(function).id()).id();
  }

  /** What a reference in a template is to, in its own stack or in another. */
  String referred(JsonNode value) {
    String export = value.path("Fn::ImportValue").asText();
    return templates.values().stream()
        .flatMap(template -> list(template.path("Outputs")).stream())
        .filter(output -> output.at("/Export/Name").asText("-").equals(export))
        .map(output -> output.at("/Value/Ref").asText())
        .findFirst()
        .orElse(value.path("Ref").asText());
  }

  /** The role a function runs under. */
  Resource role(String function) {
    String id = function(function).text("/Role/Fn::GetAtt/0");
    return all("AWS::IAM::Role").stream()
        .filter(role -> role.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** The statements of the policies of a role. */
  static List<JsonNode> statements(Resource role) {
    return list(role.property("/Policies")).stream()
        .flatMap(policy -> list(policy.at("/PolicyDocument/Statement")).stream())
        .toList();
  }

  static List<JsonNode> list(JsonNode node) {
    return node.isArray() || node.isObject()
        ? StreamSupport.stream(node.spliterator(), false).toList()
        : List.of(node);
  }

  /** One or several texts, as policies write them. */
  static List<JsonNode> oneOrMore(JsonNode node) {
    return node.isArray() ? list(node) : List.of(node);
  }

  /** A value with its references in place: {@code arn:${AWS::Partition}:…}. */
  static String flat(JsonNode value) {
    if (value.has("Fn::Join")) {
      StringBuilder joined = new StringBuilder();
      value.at("/Fn::Join/1").forEach(part -> joined.append(flat(part)));
      return joined.toString();
    }
    if (value.has("Ref")) {
      return "${" + value.path("Ref").asText() + "}";
    }
    if (value.has("Fn::ImportValue")) {
      return "${" + value.path("Fn::ImportValue").asText() + "}";
    }
    if (value.has("Fn::GetAtt")) {
      return "${"
          + value.at("/Fn::GetAtt/0").asText()
          + "."
          + value.at("/Fn::GetAtt/1").asText()
          + "}";
    }
    return Optional.ofNullable(value.textValue()).orElseThrow();
  }
}
