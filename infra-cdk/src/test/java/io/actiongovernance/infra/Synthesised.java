package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.json.Json;
import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.assertions.Template;
import software.amazon.awscdk.cxapi.CloudAssembly;

/**
 * The templates of an environment. Each is synthesised once for all tests, by the rules of
 * cdk-nag's pack {@code AwsSolutions}.
 */
final class Synthesised {
  private static final Map<Source, Synthesised> MADE = new ConcurrentHashMap<>();

  /** The production environment, whose promises are the strictest, with all that it may have. */
  static final Synthesised PROD = of(whole());

  /** The production environment with a collector of spans, so that every trigger is in it. */
  static Environment whole() {
    return Environment.named("prod")
        .with(Map.of(Settings.OTLP_ENDPOINT, "https://collector.example"));
  }

  /**
   * The production environment as one is that was deployed, without a collector: in a place, under
   * a name of its own, with copies in another region of its account.
   */
  static Environment placed() {
    return Environment.named("prod")
        .in(new Place("111122223333", "eu-west-1"))
        .at(new Domain("api.example.com", "arn:aws:acm:eu-west-1:111122223333:certificate/1"))
        .copiedTo(new Backup("arn:aws:backup:eu-central-1:111122223333:backup-vault:safe", 35));
  }

  /**
   * @param code what stands for the content of the zip, which a template names by its hash
   */
  private record Source(Environment environment, String code) {}

  private final Map<String, JsonNode> templates;
  private final List<String> broken;
  private final @Nullable DeploymentRecord lock;

  private Synthesised(
      Map<String, JsonNode> templates, List<String> broken, @Nullable DeploymentRecord lock) {
    this.templates = templates;
    this.broken = broken;
    this.lock = lock;
  }

  static Synthesised of(Environment environment) {
    return of(environment, "");
  }

  /**
   * @param code what stands for the content of the zip, which a template names by its hash
   */
  static Synthesised of(Environment environment, String code) {
    return MADE.computeIfAbsent(
        new Source(environment, code),
        source ->
            make(
                environment,
                code,
                (app, zip) -> GovernanceApp.stacks(app, environment, true, zip)));
  }

  /** What holds the data alone, as it is deployed after the first time. */
  static Synthesised data(Environment environment) {
    return data(environment, true);
  }

  /** What holds the data alone, as it is deployed the first time. */
  static Synthesised firstData(Environment environment) {
    return data(environment, false);
  }

  private static Synthesised data(Environment environment, boolean deployed) {
    return make(
        environment,
        "",
        (app, _) -> {
          DataStack data = new DataStack(app, environment, deployed);
          GovernanceApp.tag(app, environment);
          return List.of(data);
        });
  }

  private static Synthesised make(
      Environment environment, String code, BiFunction<App, Path, List<Stack>> stacks) {
    Node.require();
    try {
      Path zip = Files.createTempFile("functions", ".zip");
      Files.writeString(zip, code);
      Path out = Files.createTempDirectory("cdk.out");
      App app =
          new App(
              AppProps.builder()
                  .outdir(out.toString())
                  .treeMetadata(false)
                  .context(
                      Map.of(
                          "aws:cdk:disable-stack-trace",
                          true,
                          // As cdk.json has it.
                          "@aws-cdk/core:defaultCrossStackReferences",
                          "strong"))
                  .build());
      List<Stack> made = stacks.apply(app, zip);
      Aspects.of(app).add(AwsSolutionsChecks.Builder.create().reports(false).build());
      CloudAssembly assembly = app.synth();
      Map<String, JsonNode> templates = new LinkedHashMap<>();
      for (Stack stack : made) {
        templates.put(
            stack.getStackName().substring(environment.prefix().length() + 1),
            Json.tree(Template.fromStack(stack).toJSON()));
      }
      DeploymentRecord lock =
          environment.place() == null ? null : DeploymentRecord.of(environment, assembly);
      Synthesised synthesised = new Synthesised(templates, broken(out), lock);
      Files.delete(zip);
      delete(out);
      return synthesised;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> broken(Path out) throws IOException {
    List<String> broken = new ArrayList<>();
    for (JsonNode artifact :
        Json.read(Files.readString(out.resolve("manifest.json"))).path("artifacts")) {
      JsonNode file = artifact.path("additionalMetadataFile");
      JsonNode metadata =
          file.isTextual()
              ? Json.read(Files.readString(out.resolve(file.textValue())))
              : artifact.path("metadata");
      for (Map.Entry<String, JsonNode> thing : metadata.properties()) {
        for (JsonNode entry : thing.getValue()) {
          if (Set.of("aws:cdk:error", "aws:cdk:warning").contains(entry.path("type").textValue())) {
            broken.add(thing.getKey() + " " + entry.path("data").textValue().strip());
          }
        }
      }
    }
    return broken;
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

  /** The rules that are broken without a reason, each with the thing that breaks it. */
  List<String> broken() {
    return broken;
  }

  /** What its deployment would have made; only of an environment that is in a place. */
  DeploymentRecord lock() {
    return Objects.requireNonNull(lock);
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
