package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.aws.Aws;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Who may do what, as the templates say: the roles of functions and state machines, the policies of
 * queues and tables, and the permissions to invoke functions. Thread-safe.
 */
final class Rights {
  private final Map<String, Role> roles = new ConcurrentHashMap<>();
  private final Map<String, Policy> ofResources = new ConcurrentHashMap<>();
  private final List<Permission> permissions = new CopyOnWriteArrayList<>();

  /** Who may take the role, and what may be done with it. */
  private record Role(Policy trust, Policy policy) {}

  /** That a service may invoke a function, on behalf of certain resources of its own. */
  private record Permission(String functionArn, String service, String sourceArns) {
    static Permission of(Properties permission) {
      return new Permission(
          permission.text("FunctionName"),
          permission.text("Principal"),
          permission.text("SourceArn"));
    }
  }

  void addTo(Kinds kinds) {
    kinds
        .add(
            "AWS::IAM::Role",
            Set.of("AssumeRolePolicyDocument", "Policies", "RoleName"),
            // The one managed policy says what API Gateway may log.
            Set.of("Tags", "ManagedPolicyArns"),
            this::role)
        .changed(
            Set.of("AssumeRolePolicyDocument", "Policies"),
            (made, _, role) -> role(made.ref(), role))
        .replaced("RoleName", Set.of())
        .deleted((made, _) -> roles.remove(made.attribute("Arn")));
    Set<String> ofPermission = Set.of("Action", "FunctionName", "Principal", "SourceArn");
    kinds
        .add("AWS::Lambda::Permission", ofPermission, Set.of(), this::permission)
        .replaced(ofPermission)
        .deleted((_, permission) -> permissions.remove(Permission.of(permission)));
    Set<String> ofQueuePolicy = Set.of("PolicyDocument", "Queues");
    kinds
        .add("AWS::SQS::QueuePolicy", ofQueuePolicy, Set.of(), this::queuePolicy)
        .changed(
            ofQueuePolicy,
            (made, before, now) -> {
              withdraw(before);
              return queuePolicy(made.ref(), now);
            })
        .deleted((_, policy) -> withdraw(policy));
  }

  private Made role(String id, Properties role) {
    List<JsonNode> statements = new ArrayList<>();
    role.each("Policies")
        .forEach(
            policy ->
                statements.addAll(Policy.of(policy.json().path("PolicyDocument")).statements()));
    String name = role.has("RoleName") ? role.text("RoleName") : id;
    String arn = "arn:aws:iam::" + Aws.ACCOUNT + ":role/" + name;
    Policy trust = Policy.of(role.json().path("AssumeRolePolicyDocument"));
    roles.put(arn, new Role(trust, new Policy(statements)));
    return Made.withArn(name, arn);
  }

  private Made permission(String id, Properties permission) {
    permission.only("Action", "lambda:InvokeFunction");
    permissions.add(Permission.of(permission));
    return Made.named(id);
  }

  private Made queuePolicy(String id, Properties policy) {
    queueArns(policy).forEach(arn -> addPolicy(arn, policy.json().path("PolicyDocument")));
    return Made.named(id);
  }

  private void withdraw(Properties queuePolicy) {
    queueArns(queuePolicy).forEach(ofResources::remove);
  }

  private static List<String> queueArns(Properties queuePolicy) {
    return queuePolicy.texts("Queues").stream()
        .map(url -> Aws.arn("sqs", url.substring(url.lastIndexOf('/') + 1)))
        .toList();
  }

  /** The resource has a policy of its own. */
  void addPolicy(String resourceArn, JsonNode document) {
    ofResources.put(resourceArn, Policy.of(document));
  }

  private Role role(String arn) {
    return Optional.ofNullable(roles.get(arn))
        .orElseThrow(() -> new Refused("There is no role %s.".formatted(arn)));
  }

  /** Refuses a role that the service cannot take, or with which it may not do all of this. */
  void require(String roleArn, String service, List<String> actions, String resource) {
    if (!role(roleArn).trust().allows(Act.plain(service, "sts:AssumeRole", roleArn))) {
      throw new Refused("The role %s cannot be assumed by %s.".formatted(roleArn, service));
    }
    actions.forEach(action -> require(Act.plain(roleArn, action, resource)));
  }

  /** Refuses what the role of who is about to do it does not permit, or the resource denies. */
  void require(Act act) {
    boolean denied =
        ofResources.containsKey(act.resource()) && ofResources.get(act.resource()).denies(act);
    if (denied || !role(act.principal()).policy().allows(act)) {
      throw new Refused(
          "%s is not authorized to perform %s on %s"
              .formatted(act.principal(), act.action(), act.resource()));
    }
  }

  /** Refuses what the resource's own policy does not let a service do. */
  void requireOfResource(Act act) {
    if (!ofResources.getOrDefault(act.resource(), new Policy(List.of())).allows(act)) {
      throw new Refused("The policy of %s does not let %s do this.".formatted(act.resource(), act));
    }
  }

  /** Whether the service may invoke the function on behalf of the source. */
  boolean mayInvoke(String functionArn, String service, String sourceArn) {
    return permissions.stream()
        .anyMatch(
            one ->
                one.functionArn().equals(functionArn)
                    && one.service().equals(service)
                    && Policy.matches(one.sourceArns(), sourceArn));
  }
}
