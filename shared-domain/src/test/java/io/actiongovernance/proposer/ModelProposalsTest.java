package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.ModelExchange;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.RetrieveProposal;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.store.InMemoryStore;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What models were asked and answered is kept with plans, and told by receipts of refusals. */
class ModelProposalsTest {
  private static final String BEDROCK =
      ",'triggers':{'event_types':['order.paid']},'model':{'provider':'bedrock','model_id':'m'}";

  private final LoopFixture fixture = new LoopFixture();
  private ModelExchange exchange =
      new ModelExchange(
          "bedrock",
          "m",
          Json.object().put("asked", new BigDecimal("1.50")),
          Json.object().put("answered", "yes"));

  private void answers(Proposal proposal) {
    fixture.proposer = context -> new Proposer.Answer(proposal, exchange);
  }

  private Proposal refund(int amount) {
    return new Proposal.Proposed("Because.", List.of(fixture.refund("1", amount)));
  }

  private void propose(Event event) {
    fixture.loop.proposing().proposeForEvent().propose(fixture.caller.partition(), event.id());
  }

  private Optional<Plan> plan(Operator operator) {
    return fixture.loop.reading().plans().newestOf(operator.partition(), operator.id());
  }

  private RetrieveProposal.Read proposal(Plan plan) {
    return Outcomes.done(
        fixture.loop.reading().retrieveProposal().retrieve(fixture.caller, plan.id()));
  }

  private RetrieveProposal.Read proposed() {
    Operator operator = fixture.operator("model-desk", BEDROCK);
    answers(refund(500));
    propose(fixture.event("order.paid"));
    return proposal(plan(operator).orElseThrow());
  }

  @Test
  void theModelExchangeIsKeptWithThePlan() {
    RetrieveProposal.Read read = proposed();
    assertThat(read.provider()).isEqualTo("bedrock");
    assertThat(read.model()).isEqualTo("m");
    assertThat(read.request()).isEqualTo(exchange.request());
    assertThat(read.response()).isEqualTo(exchange.response());
    assertThat(read.digest()).isEqualTo(exchange.digest()).matches("[0-9a-f]{64}");
  }

  @Test
  void everyPartOfAnExchangeChangesItsDigest() {
    JsonNode one = Json.object().put("a", 1);
    JsonNode two = Json.object().put("a", 2);
    assertThat(
            List.of(
                new ModelExchange("bedrock", "m", one, one).digest(),
                new ModelExchange("openai_compatible", "m", one, one).digest(),
                new ModelExchange("bedrock", "n", one, one).digest(),
                new ModelExchange("bedrock", null, one, one).digest(),
                new ModelExchange("bedrock", "m", two, one).digest(),
                new ModelExchange("bedrock", "m", one, NullNode.getInstance()).digest()))
        .doesNotHaveDuplicates();
  }

  @Test
  void aTooLargeExchangeKeepsItsBeginningAndItsFullDigest() {
    StringBuilder noise = new StringBuilder();
    new Random(1).ints(600_000, 0x4e00, 0x9fa5).forEach(noise::appendCodePoint);
    exchange =
        new ModelExchange(
            "bedrock", "m", Json.object().put("asked", "x"), TextNode.valueOf(noise.toString()));
    RetrieveProposal.Read read = proposed();
    assertThat(read.request()).isEqualTo(exchange.request());
    assertThat(read.response().path("truncated").booleanValue()).isTrue();
    assertThat(read.response().path("size_bytes").intValue()).isEqualTo(1_800_002);
    assertThat(Json.write(exchange.response()))
        .startsWith(read.response().path("beginning").textValue());
    assertThat(read.digest()).isEqualTo(exchange.digest());
  }

  @Test
  void aLongExchangeThatCompressesIsKeptWhole() {
    exchange =
        new ModelExchange(
            "bedrock", "m", TextNode.valueOf("again ".repeat(100_000)), Json.object());
    assertThat(proposed().request()).isEqualTo(exchange.request());
  }

  @Test
  void theProposalOfAnOutsideAgentIsItsOwnRequest() {
    RetrieveProposal.Read read = proposal(fixture.propose(fixture.refund("7", 500)));
    assertThat(read.provider()).isEqualTo("agent");
    assertThat(read.model()).isNull();
    assertThat(read.request().isNull()).isTrue();
    assertThat(read.response().at("/actions/0/entity_key").textValue()).isEqualTo("order:7");
    assertThat(read.digest())
        .isEqualTo(new ModelExchange("agent", null, read.request(), read.response()).digest());
  }

  @Test
  void aProposalOfAnotherWorkspaceIsNotSeen() {
    Plan plan = fixture.propose(fixture.refund("7", 500));
    Caller pinned = fixture.connectors.caller("emea");
    assertThat(
            Outcomes.refusal(fixture.loop.reading().retrieveProposal().retrieve(pinned, plan.id())))
        .isEqualTo(new Refusal.NotFound("plan"));
  }

  @Test
  void theReceiptOfARefusedProposalNamesTheDigest() {
    fixture.operator("model-desk", BEDROCK);
    answers(new Proposal.Unusable("The model refused: no."));
    Event event = fixture.event("order.paid");
    propose(event);
    propose(event);
    assertThat(fixture.receipts()).hasSize(1);
    Receipt receipt = fixture.receipts().getFirst();
    assertThat(receipt.text("kind")).isEqualTo("proposal");
    assertThat(receipt.outcome().wire()).isEqualTo("refused");
    assertThat(receipt.text("reason")).isEqualTo("The model refused: no.");
    assertThat(receipt.text("note")).isEqualTo("proposal " + exchange.digest());
  }

  @Test
  void aModelWhoseProposalWasRefusedIsNotAskedAgain() {
    Operator operator = fixture.operator("model-desk", BEDROCK);
    AtomicInteger asked = new AtomicInteger();
    fixture.proposer =
        context ->
            new Proposer.Answer(
                asked.getAndIncrement() == 0 ? new Proposal.Unusable("No.") : refund(500),
                exchange);
    Event event = fixture.event("order.paid");
    propose(event);
    propose(event);
    assertThat(asked).hasValue(1);
    assertThat(plan(operator)).isEmpty();
  }

  @Test
  void theReceiptOfAnInvalidProposalNamesTheDigest() {
    fixture.operator("model-desk", BEDROCK);
    answers(
        new Proposal.Proposed(
            null, List.of(new ProposedAction("cn_0", "none", null, null, null, "order:1", null))));
    propose(fixture.event("order.paid"));
    assertThat(fixture.receipts().getFirst().text("note"))
        .isEqualTo("proposal " + exchange.digest());
  }

  @Test
  void eachWatchingOperatorsModelIsAskedOnceByItsOwnRequest() {
    Operator one = fixture.operator("one-desk", BEDROCK);
    Operator two = fixture.operator("two-desk", BEDROCK);
    AtomicInteger asked = new AtomicInteger();
    fixture.proposer =
        context -> {
          asked.incrementAndGet();
          return new Proposer.Answer(refund(500), exchange);
        };
    Event event = fixture.event("order.paid");
    propose(event);
    propose(event);
    assertThat(asked).hasValue(0);
    ProposalRequests requests = new ProposalRequests(fixture.store, fixture.time);
    for (Operator operator : List.of(one, two)) {
      ProposalRequests.ProposalRequest request =
          requests.find(operator.partition(), operator.id() + "#" + event.id()).orElseThrow();
      fixture.loop.proposing().proposeForEvent().propose(operator.partition(), request);
      fixture.loop.proposing().proposeForEvent().propose(operator.partition(), request);
    }
    assertThat(asked).hasValue(2);
    // Alone at last, it would be asked at once: but it was.
    fixture.operators.pause(fixture.caller, two.id(), fixture.connectors.ids.next());
    propose(event);
    assertThat(asked).hasValue(2);
    assertThat(plan(one)).isPresent();
    assertThat(plan(two)).isPresent();
  }

  /** Has all that is due asked for, and proposed for. */
  private int released(Operator operator) {
    ProposalRequests requests = new ProposalRequests(fixture.store, fixture.time);
    RunDueOperators runDue =
        new RunDueOperators(
            fixture.store,
            requests,
            new MissedEvents(
                fixture.store,
                new HandedOn(fixture.store, fixture.time, fixture.time),
                (_, _) -> {}),
            fixture.connectors.transactions,
            fixture.time);
    Set<String> before = requestIds();
    int released = IntStream.range(0, DueIndex.SHARDS).map(runDue::run).sum();
    for (String id : requestIds()) {
      if (!before.contains(id)) {
        fixture
            .loop
            .proposing()
            .proposeForEvent()
            .propose(operator.partition(), requests.find(operator.partition(), id).orElseThrow());
      }
    }
    return released;
  }

  private List<Receipt> refusals() {
    return fixture.receipts().stream()
        .filter(receipt -> "proposal".equals(receipt.text("kind")))
        .toList();
  }

  private Set<String> requestIds() {
    return ((InMemoryStore) fixture.store)
        .everything().stream()
            .filter(item -> "proposal_request".equals(item.textOrNull("kind")))
            .map(item -> item.text("id"))
            .collect(Collectors.toSet());
  }

  @Test
  void postponedEventsAreProposedOnceLaterWithOneReceiptAnHour() {
    Operator operator = fixture.operator("model-desk", BEDROCK);
    answers(new Proposal.PutOff(2));
    List<Event> events = Stream.generate(() -> fixture.event("order.paid")).limit(3).toList();
    events.forEach(this::propose);
    events.forEach(this::propose);
    assertThat(plan(operator)).isEmpty();
    assertThat(refusals()).hasSize(1);
    assertThat(refusals().getFirst().outcome().wire()).isEqualTo("refused");
    assertThat(refusals().getFirst().text("reason")).contains("2 for an operator");
    assertThat(released(operator)).isZero();
    AtomicInteger asked = new AtomicInteger();
    fixture.proposer =
        context -> {
          asked.incrementAndGet();
          return new Proposer.Answer(refund(500), exchange);
        };
    fixture.time.pass(Duration.ofHours(1));
    // The hour has two: the third waits for the one after.
    assertThat(released(operator)).isEqualTo(2);
    assertThat(released(operator)).isZero();
    assertThat(asked).hasValue(2);
    fixture.time.pass(Duration.ofHours(1));
    assertThat(released(operator)).isEqualTo(1);
    assertThat(asked).hasValue(3);
    events.forEach(this::propose);
    assertThat(asked).hasValue(3);
    assertThat(refusals()).hasSize(1);
  }

  @Test
  void anEventPostponedAgainWaitsAndIsReceiptedInThatHour() {
    Operator operator = fixture.operator("model-desk", BEDROCK);
    answers(new Proposal.PutOff(2));
    propose(fixture.event("order.paid"));
    fixture.time.pass(Duration.ofHours(1));
    assertThat(released(operator)).isEqualTo(1);
    assertThat(refusals()).hasSize(2);
    answers(refund(500));
    fixture.time.pass(Duration.ofHours(1));
    assertThat(released(operator)).isEqualTo(1);
    assertThat(plan(operator)).isPresent();
  }

  @Test
  void aScheduledRunIsLeftOutOnceTheHourIsUsedUp() {
    Operator operator = fixture.operator("model-desk", BEDROCK);
    answers(new Proposal.PutOff(2));
    fixture
        .loop
        .proposing()
        .proposeForEvent()
        .propose(
            operator.partition(),
            new ProposalRequests.ProposalRequest("run", null, operator.id(), null, null));
    assertThat(refusals()).hasSize(1);
    fixture.time.pass(Duration.ofHours(1));
    assertThat(released(operator)).isZero();
  }

  @Test
  void aModelUsesOnlyCredentialsOfAConnectorToTheSameHost() {
    Connector lender =
        fixture.connectors.installed(
            ConnectorFixture.http(
                "models",
                "https://models.example/v1",
                ConnectorFixture.PAY.replace("\n", ""),
                ",'credentials':{'type':'bearer','token':'a-token-of-some-length'}"));
    String model =
        ",'model':{'provider':'openai_compatible','base_url':'%s','model':'m','connector':'%s'}";
    fixture.operator("fine-desk", model.formatted("https://MODELS.example:443/v2", lender.id()));
    for (String elsewhere :
        List.of(
            "https://evil.example/v1", "http://models.example/v1", "https://models.example:444")) {
      assertRefused(model.formatted(elsewhere, lender.id()));
    }
    assertRefused(model.formatted("https://models.example/v1", fixture.sandbox.id()));
    assertRefused(model.formatted("https://models.example/v1", "cn_00000000000000000000000000"));
  }

  private void assertRefused(String model) {
    assertThat(Outcomes.refusal(fixture.create("refused-desk", model)).path())
        .isEqualTo("model.connector");
  }
}
