package io.actiongovernance.approval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Conditions;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Default approval policies, by tier, for actions held by a guardrail that has no policy of its own
 * (contract for people, section 2). A change applies to plans proposed after it. Thread-safe.
 */
public final class ApprovalDefaults {
  private static final int TRIES = 8;
  private static final Refusal BEYOND =
      new Refusal.BeyondKey(
          "Approval defaults belong to the whole tenant. Use a key or session that is neither pinned to a workspace nor bound to operators.");
  private static final String TIERS = "tiers";
  private static final String VERSION = "version";
  private static final String DOC = "doc";

  private final Store store;
  private final Transactions transactions;
  private final InstantSource clock;

  public ApprovalDefaults(Store store, Transactions transactions, InstantSource clock) {
    this.store = store;
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * Policies of a mode.
   *
   * @param version number of changes so far
   */
  public record ByTier(Map<Integer, ApprovalPolicy> policies, long version) {
    public ByTier {
      policies = Map.copyOf(policies);
    }

    @Nullable ApprovalPolicy of(int tier) {
      return policies.get(tier);
    }

    /** Returns the form in answers and receipts, {@code {"object","tiers"}}. */
    public ObjectNode wire() {
      ObjectNode wire = Json.object().put("object", "approval_defaults");
      wire.set(TIERS, tiers());
      return wire;
    }

    /** Returns {@code {"0":null,…}}. */
    public ObjectNode tiers() {
      ObjectNode tiers = Json.object();
      for (int tier = 0; tier <= Conditions.MAX_TIER; tier++) {
        ApprovalPolicy policy = policies.get(tier);
        tiers.set(Integer.toString(tier), policy == null ? tiers.nullNode() : policy.wire());
      }
      return tiers;
    }
  }

  public ByTier find(Partition partition) {
    return store
        .get(key(partition))
        .map(ApprovalDefaults::read)
        .orElseGet(() -> new ByTier(Map.of(), 0));
  }

  private static ByTier read(Item item) {
    Fields stored = new Fields((ObjectNode) Json.read(item.text(DOC)), "", false);
    return new ByTier(policies(stored, Map.of()), item.whole(VERSION, 0));
  }

  /**
   * Changes the named policies; null removes one.
   *
   * @param body the request's body
   * @param request the identifier minted for the request
   * @throws Problem if the body names something that does not exist
   */
  public Outcome<ByTier> change(Caller caller, Fields body, String request) {
    if (caller.workspaceId() != null || caller.reach().isBound()) {
      return Outcome.refused(BEYOND);
    }
    for (int attempt = 0; attempt < TRIES; attempt++) {
      ByTier found = find(caller.partition());
      ByTier wanted = new ByTier(policies(body, found.policies()), found.version() + 1);
      Optional<Write> receipt =
          new ConfigChange(
                  ConfigChange.Target.APPROVAL_DEFAULTS,
                  caller.partition().tenant().value(),
                  caller.partition(),
                  null,
                  found.wire(),
                  wanted.wire(),
                  Set.of())
              .receipt(caller, request, clock.instant());
      if (receipt.isEmpty()) {
        return Outcome.done(found);
      }
      if (transactions.run(List.of(write(caller.partition(), wanted), receipt.get())).done()) {
        return Outcome.done(wanted);
      }
    }
    throw new StoreUnavailable("The defaults changed " + TRIES + " times meanwhile.", null);
  }

  private static Map<Integer, ApprovalPolicy> policies(
      Fields body, Map<Integer, ApprovalPolicy> before) {
    Map<Integer, ApprovalPolicy> policies = new HashMap<>(before);
    Fields tiers = body.fields(TIERS);
    for (int tier = 0; tier <= Conditions.MAX_TIER; tier++) {
      String name = Integer.toString(tier);
      if (tiers.isNull(name)) {
        tiers.knows(name);
        policies.remove(tier);
      }
      ApprovalPolicy policy = ApprovalPolicy.readOrNull(tiers, name);
      if (policy != null) {
        policies.put(tier, policy);
      }
    }
    tiers.done();
    return policies;
  }

  private static Write write(Partition partition, ByTier wanted) {
    Item item =
        Item.at(key(partition))
            .with("kind", "approval_defaults")
            .with(VERSION, wanted.version())
            .with(DOC, Json.write(wanted.wire()))
            .build();
    return Write.put(
        item,
        wanted.version() == 1
            ? Condition.absent()
            : Condition.equal(VERSION, wanted.version() - 1));
  }

  /**
   * Returns the policy of each action evaluated for a proposal: the policy of the guardrail that
   * holds the action, otherwise its tier's default. Null if the action is not held or has no
   * policy.
   */
  public List<@Nullable ApprovalPolicy> fill(Partition partition, List<Evaluation> evaluations) {
    boolean open = evaluations.stream().anyMatch(one -> isHeld(one) && one.approval() == null);
    ByTier defaults = open ? find(partition) : new ByTier(Map.of(), 0);
    List<@Nullable ApprovalPolicy> filled = new ArrayList<>();
    for (Evaluation evaluation : evaluations) {
      ApprovalPolicy own = evaluation.approval();
      filled.add(
          !isHeld(evaluation) || own != null ? own : defaults.of(evaluation.verdict().tier()));
    }
    return filled;
  }

  private static boolean isHeld(Evaluation evaluation) {
    return evaluation.verdict().decision() == Decision.ALERT;
  }

  private static Key key(Partition partition) {
    return Key.single(Table.STATE, partition.key("approval-defaults"));
  }
}
