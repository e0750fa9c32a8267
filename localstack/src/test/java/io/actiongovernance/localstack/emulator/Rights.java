package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.aws.Aws;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * Who may do what, as the templates say: the roles of functions and state machines, the policies of
 * queues, and the permissions to invoke functions. Of what functions themselves do it knows
 * nothing. Thread-safe.
 */
final class Rights {
  /** Services of AWS speak to each other over TLS. */
  private static final Map<String, String> ALWAYS = Map.of("aws:SecureTransport", "true");

  private final Map<String, Role> roles = new ConcurrentHashMap<>();
  private final Map<String, List<JsonNode>> ofResources = new ConcurrentHashMap<>();
  private final List<Permission> permissions = new CopyOnWriteArrayList<>();

  private record Role(List<JsonNode> trust, List<JsonNode> statements) {}

  /** That a service may invoke a function, on behalf of certain resources of its own. */
  private record Permission(String functionArn, String service, String sourceArns) {}

  /** What kinds of roles, policies and permissions there are. */
  void addTo(Kinds kinds) {
    kinds.add(
        "AWS::IAM::Role",
        Set.of("AssumeRolePolicyDocument", "Policies", "RoleName"),
        // Managed policies say what may be logged.
        Set.of("Tags", "ManagedPolicyArns"),
        this::role);
    kinds.add(
        "AWS::Lambda::Permission",
        Set.of("Action", "FunctionName", "Principal", "SourceArn"),
        Set.of(),
        this::permission);
    kinds.add(
        "AWS::SQS::QueuePolicy", Set.of("PolicyDocument", "Queues"), Set.of(), this::queuePolicy);
  }

  private Made role(String id, Properties role) {
    List<JsonNode> statements = new ArrayList<>();
    role.each("Policies")
        .forEach(policy -> statements.addAll(statements(policy.json().path("PolicyDocument"))));
    String name = role.has("RoleName") ? role.text("RoleName") : id;
    String arn = "arn:aws:iam::" + Aws.ACCOUNT + ":role/" + name;
    roles.put(arn, new Role(statements(role.json().path("AssumeRolePolicyDocument")), statements));
    return Made.withArn(name, arn);
  }

  private Made permission(String id, Properties permission) {
    permission.only("Action", "lambda:InvokeFunction");
    permissions.add(
        new Permission(
            permission.text("FunctionName"),
            permission.text("Principal"),
            permission.text("SourceArn")));
    return Made.named(id);
  }

  private Made queuePolicy(String id, Properties policy) {
    for (String url : policy.texts("Queues")) {
      ofResources.put(
          Aws.arn("sqs", url.substring(url.lastIndexOf('/') + 1)),
          statements(policy.json().path("PolicyDocument")));
    }
    return Made.named(id);
  }

  private static List<JsonNode> statements(JsonNode document) {
    List<JsonNode> statements = new ArrayList<>();
    document.path("Statement").forEach(statements::add);
    return statements;
  }

  /** Refuses a role that the service cannot take, or with which it may not do all of this. */
  void require(String roleArn, String service, List<String> actions, String resource) {
    Role role = roles.get(roleArn);
    if (role == null) {
      throw new Refused("There is no role %s.", roleArn);
    }
    if (!allows(role.trust(), service, "sts:AssumeRole", roleArn, "")) {
      throw new Refused("The role %s cannot be assumed by %s.", roleArn, service);
    }
    for (String action : actions) {
      if (!allows(role.statements(), "", action, resource, "")) {
        throw new Refused("The role %s does not permit %s on %s.", roleArn, action, resource);
      }
    }
  }

  /** Refuses what the resource's own policy does not let a service do on behalf of its source. */
  void requireOfResource(String resource, String service, String action, String sourceArn) {
    List<JsonNode> policy = ofResources.getOrDefault(resource, List.of());
    if (!allows(policy, service, action, resource, sourceArn)) {
      throw new Refused("%s does not let %s %s for %s.", resource, service, action, sourceArn);
    }
  }

  /** Whether the service may invoke the function on behalf of the source. */
  boolean mayInvoke(String functionArn, String service, String sourceArn) {
    return permissions.stream()
        .anyMatch(
            one ->
                one.functionArn().equals(functionArn)
                    && one.service().equals(service)
                    && matches(one.sourceArns(), sourceArn));
  }

  private static boolean allows(
      List<JsonNode> statements, String service, String action, String resource, String source) {
    List<JsonNode> fitting =
        statements.stream()
            .filter(one -> fits(one.path("Principal"), service))
            .filter(one -> anyMatches(one.path("Action"), action))
            .filter(one -> !one.has("Resource") || anyMatches(one.path("Resource"), resource))
            .filter(one -> holds(one.path("Condition"), source))
            .toList();
    return fitting.stream().anyMatch(one -> one.path("Effect").asText().equals("Allow"))
        && fitting.stream().noneMatch(one -> one.path("Effect").asText().equals("Deny"));
  }

  /** A role's own statements name nobody: they are the role's. */
  private static boolean fits(JsonNode principal, String service) {
    return principal.isMissingNode()
        || principal.path("AWS").asText().equals("*")
        || anyMatches(principal.path("Service"), service);
  }

  private static boolean holds(JsonNode condition, String source) {
    return condition.properties().stream()
        .allMatch(
            test ->
                test.getValue().properties().stream()
                    .allMatch(
                        wanted ->
                            holds(test.getKey(), wanted.getKey(), wanted.getValue(), source)));
  }

  private static boolean holds(String test, String key, JsonNode wanted, String source) {
    String value = key.equals("aws:SourceArn") ? source : ALWAYS.get(key);
    return switch (test) {
      case "Bool", "ArnEquals", "ArnLike" -> anyMatches(wanted, Objects.requireNonNull(value, key));
      default -> throw new Refused("The condition %s is not known here.", test);
    };
  }

  private static boolean anyMatches(JsonNode patterns, String value) {
    if (patterns.isTextual()) {
      return matches(patterns.asText(), value);
    }
    for (JsonNode pattern : patterns) {
      if (matches(pattern.asText(), value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(String pattern, String value) {
    return Pattern.matches("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E", value);
  }
}
