package io.actiongovernance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Subject;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.result.KeptResult;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which results are kept, what names them, and who may read them (contract for agents, 1). */
final class RetrieveResultTest {
  private static final Refusal NO_ACTION = new Refusal.NotFound("action");
  private static final Refusal NO_RESULT = new Refusal.NotFound("result");

  /** Notes the writes, and may keep results from being put. */
  private static final class Watched extends BendingStore {
    private final List<Table> written = new ArrayList<>();
    private boolean full;

    private Watched() {
      super(new InMemoryStore());
    }

    @Override
    public Written write(Write write) {
      written.add(write.key().table());
      if (full && write.key().table() == Table.RESULTS) {
        throw new StoreUnavailable("Full.", null);
      }
      return inner.write(write);
    }
  }

  private final Watched store = new Watched();
  private final LoopFixture fixture = new LoopFixture(store);
  private int served;

  RetrieveResultTest() {
    fixture.source =
        call -> {
          var answer = Json.object().put("id", "r1").put("served", ++served);
          return new CallResult.Applied(
              answer, "r1", call.answerKept() ? WholeAnswer.ofJson(answer) : null);
        };
  }

  private Caller key(Set<Scope> scopes, @Nullable String owner, OperatorId... operators) {
    Caller caller = fixture.caller;
    return new Caller(
        caller.requestId(),
        caller.partition(),
        null,
        new Credential.Key(KeyId.next(fixture.connectors.ids), "a key", owner),
        scopes,
        null,
        Set.of(operators));
  }

  private Outcome<KeptResult> read(Caller caller, ActionId action) {
    return fixture.loop.reading().retrieveResult().retrieve(caller, action);
  }

  private String body(Caller caller, Action action) {
    return Outcomes.done(read(caller, action.id())).content().body();
  }

  private Action ran(Plan plan) {
    fixture.deliver();
    return fixture.action(plan, 0);
  }

  private Action proposedBy(Caller caller) {
    return proposed(fixture.operator, ProposedBy.caller(caller));
  }

  private Action proposed(Operator operator, ProposedBy by) {
    ProposePlan.Origin origin =
        new ProposePlan.Origin(
            operator,
            null,
            CorrelationId.next(fixture.connectors.ids),
            null,
            by,
            PlanId.next(fixture.connectors.ids),
            null,
            ProposerKind.SCRIPT,
            fixture.connectors.ids.next());
    return ran(
        Outcomes.done(
            fixture
                .loop
                .proposing()
                .proposePlan()
                .propose(
                    origin,
                    new Proposal.Proposed(null, List.of(fixture.refund("1", 10))),
                    fixture.loop.proposing().proposePlan().tenantState(operator.partition()))));
  }

  private Receipt receipt(Action action) {
    return fixture.receipts().stream()
        .filter(one -> action.id().value().equals(one.text("action_id")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theProposerReadsTheResultNamedByTheReceipt() {
    Caller agent = key(Role.AGENT.scopes(), null);
    Action action = proposedBy(agent);
    KeptResult result = Outcomes.done(read(agent, action.id()));
    assertThat(result.content().body()).isEqualTo("{\"id\":\"r1\",\"served\":1}");
    assertThat(receipt(action).text("result_sha256")).isEqualTo(result.sha256());
  }

  @Test
  void aPersonReadsTheResultWithAnotherOfTheirKeys() {
    Action action = proposedBy(key(Role.AGENT.scopes(), "dana"));
    assertThat(body(key(Role.AGENT.scopes(), "dana"), action)).contains("r1");
  }

  @Test
  void aKeyOfAnotherPersonCannotReadTheResult() {
    Action action = proposedBy(key(Role.AGENT.scopes(), null));
    Caller other = key(Role.AGENT.scopes(), null);
    assertThat(read(other, action.id())).isEqualTo(Outcome.refused(NO_ACTION));
  }

  @Test
  void aBoundKeyReadsOnlyResultsOfItsOperator() {
    Action action = proposedBy(key(Role.AGENT.scopes(), null));
    Caller bound = key(Role.AGENT.scopes(), null, fixture.operator.id());
    assertThat(body(bound, action)).contains("r1");
    Caller elsewhere = key(Role.AGENT.scopes(), null, OperatorId.next(fixture.connectors.ids));
    assertThat(read(elsewhere, action.id())).isEqualTo(Outcome.refused(NO_ACTION));
  }

  private Caller agent(String subject) {
    Caller caller = fixture.caller;
    return new Caller(
        caller.requestId(),
        caller.partition(),
        null,
        Credential.Agent.of(
            caller.partition(), "agent", new Subject("https://login.acme.example", subject), null),
        Role.AGENT.scopes(),
        null,
        Set.of(fixture.operator.id()));
  }

  @Test
  void anIssuersAgentReadsOnlyResultsOfItsOwnProposals() {
    Action own = proposedBy(agent("dana"));
    assertThat(body(agent("dana"), own)).contains("r1");
    Action anothers = proposedBy(agent("sam"));
    assertThat(Outcomes.refusal(read(agent("dana"), anothers.id())))
        .isInstanceOf(Refusal.NotFound.class);
  }

  @Test
  void anAdminReadsEveryResult() {
    Action action = proposedBy(key(Role.AGENT.scopes(), null));
    assertThat(body(key(Role.ADMIN.scopes(), null), action)).contains("r1");
  }

  @Test
  void anUnknownActionHasNoResult() {
    assertThat(read(fixture.caller, ActionId.next(fixture.connectors.ids)))
        .isEqualTo(Outcome.refused(NO_ACTION));
  }

  @Test
  void theOperatorDecidesWhetherAScriptsResultsAreKept() {
    Caller admin = key(Role.ADMIN.scopes(), null);
    ProposedBy script = new ProposedBy(fixture.operator.principal(), null);
    Action action = proposed(fixture.operator, script);
    assertThat(read(admin, action.id())).isEqualTo(Outcome.refused(NO_RESULT));
    assertThat(receipt(action).text("result_sha256")).isNull();
    Operator keeps = fixture.operator("keeper", ",'keep_results':true");
    assertThat(body(admin, proposed(keeps, new ProposedBy(keeps.principal(), null))))
        .contains("r1");
  }

  @Test
  void anActionWithoutAKeptResultCostsNoExtraWrite() {
    store.written.clear();
    proposed(fixture.operator, new ProposedBy(fixture.operator.principal(), null));
    assertThat(store.written).doesNotContain(Table.RESULTS);
  }

  @Test
  void anActionThatDidNotApplyHasNoResult() {
    fixture.source = call -> new CallResult.Failed("upstream answered 422: no");
    Caller agent = key(Role.AGENT.scopes(), null);
    assertThat(read(agent, proposedBy(agent).id())).isEqualTo(Outcome.refused(NO_RESULT));
  }

  @Test
  void anOpenActionHasNoResultYet() {
    Plan held = fixture.propose(fixture.refund("1", 500));
    assertThat(read(fixture.agent, held.terms().actionIds().getFirst()))
        .isEqualTo(Outcome.refused(NO_RESULT));
  }

  @Test
  void aDeduplicatedActionNamesTheHolder() {
    fixture.source = call -> new CallResult.Applied(Json.object(), null);
    Action first = ran(fixture.propose(keyed("k")));
    Action second = ran(fixture.propose(keyed("k")));
    assertThat(read(fixture.agent, second.id()))
        .isEqualTo(Outcome.refused(new Refusal.ResultOfAnother(first.id())));
  }

  private ProposedAction keyed(String key) {
    var refund = fixture.refund("1", 10);
    return new ProposedAction(
        refund.connector(),
        refund.tool(),
        refund.args(),
        refund.value(),
        refund.currency(),
        refund.entityKey(),
        key);
  }

  @Test
  void aResultThatCannotBeKeptDoesNotChangeTheOutcome() {
    store.full = true;
    Caller agent = key(Role.AGENT.scopes(), null);
    Action action = proposedBy(agent);
    assertThat(Objects.requireNonNull(action.disposal()).ok()).isTrue();
    assertThat(receipt(action).text("result_sha256")).isNull();
    assertThat(read(agent, action.id())).isEqualTo(Outcome.refused(NO_RESULT));
  }

  @Test
  void anExpiredResultIsGoneButItsReceiptStillNamesIt() {
    Caller agent = key(Role.AGENT.scopes(), null);
    Action action = proposedBy(agent);
    fixture.time.sleep(Duration.ofDays(1).plusSeconds(1));
    assertThat(read(agent, action.id())).isEqualTo(Outcome.refused(NO_RESULT));
    assertThat(receipt(action).text("result_sha256")).isNotNull();
  }

  @Test
  void aCallThatOutlivesItsLeaseOverwritesNothing() {
    Plan plan = fixture.propose(fixture.refund("1", 10));
    var answers = fixture.source;
    fixture.source =
        call -> {
          CallResult late = answers.apply(call);
          // While it lasts, its lease runs out, and another invocation finds it interrupted.
          fixture.source = answers;
          fixture.time.sleep(KernelTimes.LEASE.plusSeconds(1));
          fixture.loop.executing().executeAction().execute(Dispatch.of(fixture.action(plan, 0)));
          return late;
        };
    Action action = ran(plan);
    // What it was disposed as stands, though an answer came after all and was put beside it.
    assertThat(Objects.requireNonNull(action.disposal()).awaitsResolution()).isTrue();
    assertThat(store.written).contains(Table.RESULTS);
    assertThat(receipt(action).text("result_sha256")).isNull();
    assertThat(read(fixture.agent, action.id())).isEqualTo(Outcome.refused(NO_RESULT));
    assertThat(fixture.receipts().stream().filter(one -> one.text("action_id") != null)).hasSize(1);
  }
}
