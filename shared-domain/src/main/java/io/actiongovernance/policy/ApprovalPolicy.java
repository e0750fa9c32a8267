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
 * The people who must approve an action, and the method that they must use (contract for people,
 * section 2, {@code approval}). Immutable.
 *
 * @param allOf requirements that must all be met, each by different people; one person if the
 *     policy names none
 * @param method the weakest method by which a vote counts
 * @param notProposer whether the proposer's owner, its maker and the one who triggered the proposal
 *     may not approve; nobody ever approves their own proposal, whatever this says
 * @param notPolicyEditorSeconds how long people may not approve after they changed what the
 *     decision depends on; null for the default of the method and groups
 * @param withinSeconds seconds after which the plan expires; null for the operator's setting
 */
public record ApprovalPolicy(
    List<Requirement> allOf,
    Method method,
    boolean notProposer,
    @Nullable Long notPolicyEditorSeconds,
    @Nullable Long withinSeconds) {
  public static final int MOST_PEOPLE = 10;

  private static final int MOST_GROUPS = 20;
  private static final int LONGEST_GROUP = 200;

  /** 30 days. */
  private static final long LONGEST_SECONDS = 2_592_000;

  private static final long SHORTEST_SECONDS = 5;

  /** Stands for the deployment's default when two policies are compared. */
  private static final Duration A_DAY = Duration.ofDays(1);

  private static final Requirement ANYBODY = new Requirement(1, List.of());

  public ApprovalPolicy {
    allOf = List.copyOf(allOf);
  }

  /** The way in which approvers prove who they are, from weakest to strongest. */
  public enum Method {
    /** With a key, as without a policy. */
    KEY,
    /** With a signed-in session. */
    SESSION,
    /** With a signature of what is approved, by a passkey that verified its user. */
    PASSKEY;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Method> parse(String text) {
      return Arrays.stream(values()).filter(method -> method.wire().equals(text)).findFirst();
    }

    /** Returns whether this method is at least as strong as {@code asked}. */
    public boolean covers(Method asked) {
      return compareTo(asked) >= 0;
    }
  }

  /**
   * One part of a policy.
   *
   * @param groups groups of which each person must be in one; empty for anyone who may approve
   */
  public record Requirement(int count, List<String> groups) {
    public Requirement {
      groups = groups.stream().distinct().sorted().toList();
    }

    /** Returns whether a person who meets this requirement also meets the other. */
    private boolean isOf(Requirement other) {
      return other.groups.isEmpty() || (!groups.isEmpty() && other.groups.containsAll(groups));
    }

    /** Returns whether a person in these groups can meet this requirement. */
    public boolean admits(List<String> groupsOfPerson) {
      return groups.isEmpty() || groups.stream().anyMatch(groupsOfPerson::contains);
    }
  }

  @JsonIgnore
  public int people() {
    return allOf.stream().mapToInt(Requirement::count).sum();
  }

  @JsonIgnore
  public boolean asksForGroups() {
    return allOf.stream().anyMatch(requirement -> !requirement.groups().isEmpty());
  }

  /**
   * Returns how long people may not approve after they changed what the decision depends on.
   *
   * @param otherwise the time if the policy states none, and asks for a passkey or for groups
   */
  public Duration notPolicyEditor(Duration otherwise) {
    if (notPolicyEditorSeconds != null) {
      return Duration.ofSeconds(notPolicyEditorSeconds);
    }
    return method == Method.PASSKEY || asksForGroups() ? otherwise : Duration.ZERO;
  }

  /** Returns one requirement for each person that the policy asks for. */
  public List<Requirement> places() {
    return allOf.stream()
        .flatMap(requirement -> IntStream.range(0, requirement.count()).mapToObj(_ -> requirement))
        .toList();
  }

  /**
   * Returns whether approvals that satisfy this policy also satisfy the other. For that, this
   * policy must ask for at least as many people from the same or fewer groups, by no weaker method.
   * It must also exclude no fewer people and allow no longer time.
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

  /** Reads the policy in a field of a request; null if there is none. */
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
          fields.param("method") + " must not be key if all_of asks for people.");
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

  /** Returns the published form. It has all defaults except those that the deployment sets. */
  public ObjectNode wire() {
    ObjectNode wire = Json.object();
    if (method == Method.KEY) {
      // Keys belong to no group.
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
