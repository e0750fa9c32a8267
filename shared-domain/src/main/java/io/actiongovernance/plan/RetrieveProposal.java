package io.actiongovernance.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a plan's exchange with its model (contract, section 4). For a plan that no model proposed,
 * the response is the proposal itself and the request is JSON null.
 *
 * <p>The request repeats the event's payload and the operator's instructions, and a model's words
 * may quote both. So a caller that may not read events gets only what the plan itself shows: the
 * reasoning and the actions. Thread-safe.
 */
public final class RetrieveProposal {
  private final Store store;
  private final Plans plans;
  private final Actions actions;

  public RetrieveProposal(Store store, Plans plans, Actions actions) {
    this.store = store;
    this.plans = plans;
    this.actions = actions;
  }

  /**
   * Origin of a plan.
   *
   * @param request JSON null if no model was asked, or if the caller may not read events
   * @param response in both of these cases only the reasoning and the actions
   * @param digest SHA-256, in hex, of the canonical JSON of the whole provider, model, request and
   *     response
   */
  public record Read(
      PlanId planId,
      String provider,
      @Nullable String model,
      JsonNode request,
      JsonNode response,
      String digest,
      Instant proposedAt) {}

  /** Returns the proposal of the plan, if the caller may see the plan. */
  public Outcome<Read> retrieve(Caller caller, PlanId id) {
    return plans
        .find(caller.partition(), id)
        .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()))
        .map(plan -> Outcome.done(read(plan, caller.readsEvents())))
        .orElseGet(() -> Outcome.refused(new Refusal.NotFound("plan")));
  }

  private Read read(Plan plan, boolean whole) {
    return store
        .get(KeptExchanges.key(plan.partition(), plan.id()))
        .map(KeptExchanges::read)
        .map(
            kept ->
                read(
                    plan,
                    kept.provider(),
                    kept.model(),
                    whole ? kept.request() : NullNode.getInstance(),
                    whole ? kept.response() : proposed(plan),
                    kept.digest()))
        .orElseGet(() -> unasked(plan));
  }

  private Read unasked(Plan plan) {
    ModelExchange exchange =
        new ModelExchange(plan.terms().provider(), null, NullNode.getInstance(), proposed(plan));
    return read(
        plan,
        exchange.provider(),
        exchange.model(),
        exchange.request(),
        exchange.response(),
        exchange.digest());
  }

  private static Read read(
      Plan plan,
      String provider,
      @Nullable String model,
      JsonNode request,
      JsonNode response,
      String digest) {
    return new Read(
        plan.id(), provider, model, request, response, digest, plan.terms().proposedAt());
  }

  private ObjectNode proposed(Plan plan) {
    ObjectNode proposed = Json.object().put("reasoning", plan.terms().reasoning());
    ArrayNode list = proposed.putArray("actions");
    List<Action> all = actions.findAll(plan.partition(), plan.terms().actionIds());
    for (Action action : all) {
      Action.Terms terms = action.terms();
      ObjectNode one =
          list.addObject().put("connector", terms.connector().value()).put("tool", terms.tool());
      one.set("args", terms.args());
      one.put("value", terms.value())
          .put("entity_key", terms.entityKey().value())
          .put("idempotency_key", terms.idempotencyKey());
    }
    return proposed;
  }
}
