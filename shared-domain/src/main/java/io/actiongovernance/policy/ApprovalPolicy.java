package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Who must approve an action, and how (contract for people, section 2, {@code approval}).
 * Immutable.
 *
 * @param allOf all of these must be met, each by people of its own; one person where the policy
 *     names none
 * @param method the weakest by which a vote counts
 * @param notProposer whether neither the proposer's owner or maker, nor who triggered the proposal,
 *     may approve; that nobody approves what they proposed themselves holds whatever it says
 * @param notPolicyEditorSeconds for how long nobody approves who changed what the decision rests
 *     on; null for the default of its method and groups
 * @param withinSeconds after how long the plan's time is over; null for the operator's
 */
public record ApprovalPolicy(
    List<Requirement> allOf,
    Method method,
    boolean notProposer,
    @Nullable Long notPolicyEditorSeconds,
    @Nullable Long withinSeconds) {
  /** The most people that one policy may ask for. */
  public static final int MOST_PEOPLE = 10;

  private static final int MOST_GROUPS = 20;
  private static final int LONGEST_GROUP = 200;

  /** 30 days. */
  private static final long LONGEST_SECONDS = 2_592_000;

  private static final long SHORTEST_SECONDS = 5;

  /** What is taken for the time that a deployment has, where two policies are compared. */
  private static final Duration A_DAY = Duration.ofDays(1);

  private static final Requirement ANYBODY = new Requirement(1, List.of());

  public ApprovalPolicy {
    allOf = List.copyOf(allOf);
  }

  /** How somebody shows that it is they who approve: the later is the stronger. */
  public enum Method {
    /** By a key, as without a policy. */
    KEY,
    /** By being signed in. */
    SESSION,
    /** By signing what is approved, with a passkey that verified its user. */
    PASSKEY;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Method> parse(String text) {
      return Arrays.stream(values()).filter(method -> method.wire().equals(text)).findFirst();
    }

    /** Whether what was done by this one does where that one is asked for. */
    public boolean covers(Method asked) {
      return compareTo(asked) >= 0;
    }
  }

  /**
   * One part of a policy.
   *
   * @param count how many people
   * @param groups each is in one of these; empty for anybody who may approve
   */
  public record Requirement(int count, List<String> groups) {
    public Requirement {
      groups = groups.stream().distinct().sorted().toList();
    }

    /** Whether whoever meets it meets the other too. */
    private boolean isOf(Requirement other) {
      return other.groups.isEmpty() || (!groups.isEmpty() && other.groups.containsAll(groups));
    }

    /** Whether somebody of these groups can meet it. */
    public boolean admits(List<String> groupsOfPerson) {
      return groups.isEmpty() || groups.stream().anyMatch(groupsOfPerson::contains);
    }
  }

  /** How many people it asks for. */
  @JsonIgnore
  public int people() {
    return allOf.stream().mapToInt(Requirement::count).sum();
  }

  /** Whether it asks for a person of a group. */
  @JsonIgnore
  public boolean asksForGroups() {
    return allOf.stream().anyMatch(requirement -> !requirement.groups().isEmpty());
  }

  /**
   * For how long nobody approves who changed what the decision rests on.
   *
   * @param otherwise the time where the policy says none, and asks for passkeys or groups
   */
  public Duration notPolicyEditor(Duration otherwise) {
    if (notPolicyEditorSeconds != null) {
      return Duration.ofSeconds(notPolicyEditorSeconds);
    }
    return method == Method.PASSKEY || asksForGroups() ? otherwise : Duration.ZERO;
  }

  /** Each person that it asks for, by the requirement that they are to meet. */
  public List<Requirement> places() {
    return allOf.stream()
        .flatMap(requirement -> IntStream.range(0, requirement.count()).mapToObj(_ -> requirement))
        .toList();
  }

  /**
   * Whether whatever meets this one meets the other too: as many people of no other groups, by no
   * weaker method, with no fewer kept out, and in no longer a time.
   */
  public boolean isAtLeast(ApprovalPolicy other) {
    return method.covers(other.method)
        && (notProposer || !other.notProposer)
        && notPolicyEditor(A_DAY).compareTo(other.notPolicyEditor(A_DAY)) >= 0
        && within() <= other.within()
        && Matching.of(other, places(), (place, asked) -> place.isOf(asked)).complete();
  }

  private long within() {
    return withinSeconds == null ? Long.MAX_VALUE : withinSeconds;
  }

  /** The policy in a field of a request; null where there is none. */
  public static @Nullable ApprovalPolicy readOrNull(Fields parent, String field) {
    Fields fields = parent.fieldsOrNull(field);
    return fields == null ? null : read(fields);
  }

  private static ApprovalPolicy read(Fields fields) {
    List<Fields> listed = fields.listOrNull("all_of", 1, MOST_PEOPLE);
    List<Requirement> allOf =
        listed == null
            ? List.of(ANYBODY)
            : listed.stream().map(ApprovalPolicy::requirement).toList();
    Method said = fields.choiceOrNull("method", Method::parse, "one of passkey, session, key");
    Method method = said == null ? Method.SESSION : said;
    ApprovalPolicy policy =
        new ApprovalPolicy(
            allOf,
            method,
            fields.flag("not_proposer", true),
            fields.wholeOrNull("not_policy_editor_seconds", 0, LONGEST_SECONDS),
            fields.wholeOrNull("within_seconds", SHORTEST_SECONDS, LONGEST_SECONDS));
    if (policy.people() > MOST_PEOPLE) {
      throw Problem.invalid(
          fields.param("all_of"),
          fields.param("all_of") + " must not ask for more than " + MOST_PEOPLE + " people.");
    }
    if (method == Method.KEY && listed != null) {
      throw Problem.invalid(
          fields.param("method"),
          fields.param("method") + " must not be key where all_of asks for people.");
    }
    fields.done();
    return policy;
  }

  private static Requirement requirement(Fields fields) {
    Long count = fields.wholeOrNull("count", 1, MOST_PEOPLE);
    List<String> groups = fields.textsOrNull("groups", 0, MOST_GROUPS, LONGEST_GROUP);
    fields.done();
    return new Requirement(
        count == null ? 1 : count.intValue(), groups == null ? List.of() : groups);
  }

  /** How it is answered, with every default filled in but those that depend on the deployment. */
  public ObjectNode wire() {
    ObjectNode wire = Json.object();
    if (method == Method.KEY) {
      // A key is nobody of any group.
      wire.putNull("all_of");
    }
    ArrayNode all = method == Method.KEY ? wire.arrayNode() : wire.putArray("all_of");
    for (Requirement requirement : allOf) {
      ObjectNode one = all.addObject().put("count", requirement.count());
      ArrayNode groups = one.putArray("groups");
      requirement.groups().forEach(groups::add);
    }
    return wire.put("method", method.wire())
        .put("not_proposer", notProposer)
        .put("not_policy_editor_seconds", notPolicyEditorSeconds)
        .put("within_seconds", withinSeconds);
  }
}
