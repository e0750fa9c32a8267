package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.gateway.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * API Gateway's REST APIs: trees of resources, methods that invoke functions, and stages on which
 * pictures of them are reached. Thread-safe.
 */
final class RestApis {
  private static final Pattern INVOCATION =
      Pattern.compile(
          "arn:aws:apigateway:[a-z0-9-]+:lambda:path/2015-03-31/functions/(.+)/invocations");

  private final Map<String, Api> apis = new ConcurrentHashMap<>();
  private final Map<String, Picture> deployments = new ConcurrentHashMap<>();
  private final Map<String, Picture> stages = new ConcurrentHashMap<>();

  /** An API while it is put together: its resources' paths, and what is at them. */
  private record Api(
      String id,
      Map<String, String> paths,
      Map<String, Map<String, String>> methods,
      Map<String, GatewayAnswer> answers) {
    Api(String id) {
      this(id, new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    }

    String root() {
      return id + "-root";
    }

    String path(String resource) {
      return Optional.ofNullable(paths.get(resource))
          .orElseThrow(() -> new Refused("There is no resource %s.".formatted(resource)));
    }
  }

  /** An API as it was when it was deployed. */
  record Picture(
      Resources resources,
      Map<String, Map<String, String>> methods,
      Map<String, GatewayAnswer> answers) {
    private static Picture of(Api api) {
      Map<String, Map<String, String>> methods = new HashMap<>();
      api.methods().forEach((path, ofPath) -> methods.put(path, Map.copyOf(ofPath)));
      return new Picture(
          new Resources(api.paths().values()), Map.copyOf(methods), Map.copyOf(api.answers()));
    }

    /** The function behind the resource's method, which may be that for any. */
    Optional<String> function(String resource, String method) {
      Map<String, String> here = methods.getOrDefault(resource, Map.of());
      return Optional.ofNullable(here.getOrDefault(method, here.get("ANY")));
    }

    /** What the gateway answers by itself, for want of its own like all of its class. */
    GatewayAnswer answer(String type, String otherwise) {
      GatewayAnswer own = answers.getOrDefault(type, answers.get(otherwise));
      return Optional.ofNullable(own)
          .orElseThrow(() -> new IllegalStateException("No gateway response " + otherwise));
    }
  }

  void addTo(Kinds kinds) {
    kinds.add(
        "AWS::ApiGateway::RestApi",
        Set.of("Name", "BinaryMediaTypes", "DisableExecuteApiEndpoint"),
        Set.of(
            "Description", "EndpointAccessMode", "EndpointConfiguration", "SecurityPolicy", "Tags"),
        this::api);
    kinds
        .add(
            "AWS::ApiGateway::Resource",
            Set.of("RestApiId", "ParentId", "PathPart"),
            Set.of(),
            this::resource)
        .deleted((made, resource) -> of(resource).paths().remove(made.ref()));
    kinds
        .add(
            "AWS::ApiGateway::Method",
            Set.of("RestApiId", "ResourceId", "HttpMethod", "Integration", "AuthorizationType"),
            Set.of(),
            this::method)
        .changed(
            Set.of("Integration"),
            (made, before, now) -> {
              remove(before);
              return method(made.ref(), now);
            })
        .deleted((_, method) -> remove(method));
    kinds
        .add(
            "AWS::ApiGateway::GatewayResponse",
            Set.of(
                "RestApiId",
                "ResponseType",
                "StatusCode",
                "ResponseParameters",
                "ResponseTemplates"),
            Set.of(),
            this::answer)
        .changed(
            Set.of("StatusCode", "ResponseParameters", "ResponseTemplates"),
            (made, _, answer) -> answer(made.ref(), answer))
        .deleted((_, answer) -> of(answer).answers().remove(answer.text("ResponseType")));
    kinds
        .add(
            "AWS::ApiGateway::Deployment",
            Set.of("RestApiId"),
            Set.of("Description"),
            (id, deployment) -> {
              deployments.put(id, Picture.of(of(deployment)));
              return Made.named(id);
            })
        .deleted((made, _) -> deployments.remove(made.ref()));
    kinds
        .add(
            "AWS::ApiGateway::Stage",
            Set.of("RestApiId", "StageName", "DeploymentId"),
            Set.of("AccessLogSetting", "MethodSettings", "TracingEnabled", "Tags"),
            (_, stage) -> stage(stage))
        .changed(Set.of("DeploymentId"), (_, _, stage) -> stage(stage));
  }

  private Made api(String id, Properties properties) {
    properties.only("DisableExecuteApiEndpoint", "false");
    if (!properties.texts("BinaryMediaTypes").equals(List.of("*/*"))) {
      throw new Refused("Here, all bodies are binary.");
    }
    Api api = new Api(id.toLowerCase(Locale.ROOT) + (apis.size() + 1));
    api.paths().put(api.root(), "/");
    apis.put(api.id(), api);
    return new Made(api.id(), Map.of("RootResourceId", api.root()));
  }

  private Api of(Properties properties) {
    String id = properties.text("RestApiId");
    return Optional.ofNullable(apis.get(id))
        .orElseThrow(() -> new Refused("There is no API %s.".formatted(id)));
  }

  private Made resource(String id, Properties resource) {
    Api api = of(resource);
    String parent = api.path(resource.text("ParentId"));
    String path = (parent.equals("/") ? "" : parent) + "/" + resource.text("PathPart");
    if (api.paths().containsValue(path)) {
      throw new Refused(
          "Another resource with the same parent already has this name: %s".formatted(path));
    }
    api.paths().put(id, path);
    return Made.named(id);
  }

  private Made method(String id, Properties method) {
    method.only("AuthorizationType", "NONE");
    Properties integration = method.part("Integration");
    integration.knows(Set.of("Type", "Uri", "IntegrationHttpMethod"), Set.of("TimeoutInMillis"));
    integration.only("Type", "AWS_PROXY");
    integration.only("IntegrationHttpMethod", "POST");
    Matcher uri = INVOCATION.matcher(integration.text("Uri"));
    if (!uri.matches()) {
      throw new Refused("The URI %s is not known here.".formatted(integration.text("Uri")));
    }
    Api api = of(method);
    String verb = method.text("HttpMethod");
    Map<String, String> there =
        api.methods()
            .computeIfAbsent(api.path(method.text("ResourceId")), _ -> new ConcurrentHashMap<>());
    if (there.putIfAbsent(verb, uri.group(1)) != null) {
      throw new Refused("Method already exists for this resource: %s".formatted(verb));
    }
    return Made.named(id);
  }

  private void remove(Properties method) {
    Api api = of(method);
    Optional.ofNullable(api.methods().get(api.path(method.text("ResourceId"))))
        .ifPresent(there -> there.remove(method.text("HttpMethod")));
  }

  private Made answer(String id, Properties answer) {
    of(answer).answers().put(answer.text("ResponseType"), GatewayAnswer.of(answer));
    return Made.named(id);
  }

  private Made stage(Properties stage) {
    String deployment = stage.text("DeploymentId");
    Picture picture = deployments.get(deployment);
    if (picture == null) {
      throw new Refused("There is no deployment %s.".formatted(deployment));
    }
    stages.put(of(stage).id() + "/" + stage.text("StageName"), picture);
    return Made.named(stage.text("StageName"));
  }

  /** What is reached on a stage of an API. */
  @Nullable Picture on(String api, String stage) {
    return stages.get(api + "/" + stage);
  }
}
