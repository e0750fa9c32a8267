package io.actiongovernance.localstack.acceptance.trace;

import static io.actiongovernance.localstack.acceptance.trace.Collector.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.OnAStack;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.trace.Collector.Told;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Spans that are made of receipts and posted, read by OpenTelemetry's own definition of OTLP
 * (contract for agents, section 7).
 */
@ExtendWith(OnAStack.class)
@Execution(ExecutionMode.SAME_THREAD)
final class SpansSpec {
  private static final Duration LONGEST = Duration.ofSeconds(40);
  private static final String TRACE = TracesSpec.TRACE;
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String OTHER = "0af7651916cd43dd8448eb211c80319c";
  private static final String APPROVER = "b7ad6b7169203331";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit has it set
  private static Collector collector;

  @SuppressWarnings("NullAway.Init") // JUnit has it set
  private static EmbeddedStack stack;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init") // JUnit has it set
  private Given given;

  @BeforeAll
  static void start() throws Exception {
    collector = new Collector(0);
    stack =
        Stack.startOn(
            folder,
            Service.governance(),
            Map.of("GOVERNANCE_OTLP_ENDPOINT", collector.url() + "/"));
  }

  @AfterAll
  static void stop() {
    stack.close();
    collector.close();
  }

  @BeforeEach
  void tenant(Stack shared) throws Exception {
    var keys = Stack.newTenant(stack, Given.unique("traced")).keys();
    given =
        new Given(
            shared,
            new Stack.Keys(keys.live(), keys.test()),
            new Api(CLIENT, stack.baseUrl(), keys.live()));
  }

  private static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  private static List<Span> await(String plan, int count) {
    return Await.until(LONGEST, () -> distinct(collector.taken(plan)), all -> all.size() >= count);
  }

  private static List<Span> distinct(List<Span> spans) {
    Set<ByteString> seen = new HashSet<>();
    return spans.stream().filter(span -> seen.add(span.getSpanId())).toList();
  }

  private static Span named(List<Span> spans, String name, String trace) {
    return spans.stream()
        .filter(span -> span.getName().equals(name) && hex(span.getTraceId()).equals(trace))
        .findFirst()
        .orElseThrow();
  }

  private Plan propose(Operator operator, String flags, ObjectNode... actions) {
    String traceparent = "00-" + TRACE + "-" + PARENT + "-" + flags;
    return new Plan(
        operator.api(),
        operator
            .proposer()
            .post(
                "/v1/operators/" + operator.id() + "/plans",
                Operator.proposal(actions),
                "traceparent",
                traceparent)
            .is(201));
  }

  private static Instant at(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  @Test
  void aHeldPlansSpansAreInTheEventsTraceAndItsApprovalsAlsoInItsOwn() {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Instant before = Instant.now().minusSeconds(1);
    ObjectNode envelope =
        (ObjectNode)
            Json.read("{\"source\":\"shop\",\"event_type\":\"order.paid\",\"payload\":{}}");
    String event =
        given
            .api()
            .post("/v1/events", envelope, "traceparent", "00-" + TRACE + "-" + PARENT + "-01")
            .is(201)
            .path("event_id")
            .asText();
    ObjectNode proposal =
        Operator.proposal(operator.refund("secret-charge", "4.20")).put("event_id", event);
    Plan plan =
        new Plan(
            given.api(),
            operator
                .proposer()
                .post("/v1/operators/" + operator.id() + "/plans", proposal)
                .is(201));
    given
        .api()
        .post(
            plan.path() + "/approve",
            Json.object(),
            "traceparent",
            "00-" + OTHER + "-" + APPROVER + "-01")
        .is(200);
    List<Span> spans = await(plan.id(), 4);
    assertThat(spans).hasSize(4);

    Span whole = named(spans, "invoke_plan", TRACE);
    assertThat(hex(whole.getParentSpanId())).isEqualTo(PARENT);
    assertThat(whole.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_INTERNAL);
    assertThat(whole.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_UNSET);
    assertThat(whole.getFlags()).isEqualTo(0x301);

    Span waited = named(spans, "await_approval", TRACE);
    assertThat(waited.getParentSpanId()).isEqualTo(whole.getSpanId());
    assertThat(waited.getLinksList())
        .extracting(link -> hex(link.getTraceId()) + "-" + hex(link.getSpanId()))
        .containsExactly(OTHER + "-" + APPROVER);
    assertThat(attribute(waited, "governance.approval.outcome").getStringValue())
        .isEqualTo("approved");
    assertThat(attribute(waited, "governance.approval.method").getStringValue()).isEqualTo("key");

    Span alone =
        spans.stream()
            .filter(span -> !hex(span.getTraceId()).equals(TRACE))
            .findFirst()
            .orElseThrow();
    assertThat(alone.getName()).isEqualTo("await_approval");
    assertThat(alone.getParentSpanId()).isEmpty();
    assertThat(alone.getLinksList())
        .extracting(link -> hex(link.getTraceId()) + "-" + hex(link.getSpanId()))
        .containsExactly(TRACE + "-" + hex(waited.getSpanId()), OTHER + "-" + APPROVER);

    Span called = named(spans, "execute_tool " + Given.REFUND, TRACE);
    assertThat(called.getParentSpanId()).isEqualTo(whole.getSpanId());
    assertThat(called.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
    assertThat(given.upstream().calls().getLast().header("traceparent"))
        .isEqualTo("00-" + TRACE + "-" + hex(called.getSpanId()) + "-01");
    assertThat(attribute(called, "gen_ai.operation.name").getStringValue())
        .isEqualTo("execute_tool");
    assertThat(attribute(called, "gen_ai.tool.name").getStringValue()).isEqualTo(Given.REFUND);
    assertThat(attribute(called, "gen_ai.tool.call.id").getStringValue())
        .isEqualTo(plan.actionId(0));
    assertThat(attribute(called, "governance.receipt_id").getStringValue())
        .isEqualTo(plan.receipt(0).path("id").asText());
    assertThat(attribute(called, "governance.verdict").getStringValue()).isEqualTo("ALERT");

    for (Span span : spans) {
      assertThat(span.getStartTimeUnixNano()).isLessThanOrEqualTo(span.getEndTimeUnixNano());
      assertThat(at(span.getStartTimeUnixNano())).isBetween(before, Instant.now());
      assertThat(span.toString()).doesNotContain("secret-charge").doesNotContain("4.20");
    }
    assertThat(waited.getStartTimeUnixNano()).isEqualTo(whole.getStartTimeUnixNano());
    assertThat(waited.getEndTimeUnixNano()).isLessThanOrEqualTo(called.getStartTimeUnixNano());
    assertThat(called.getEndTimeUnixNano()).isEqualTo(whole.getEndTimeUnixNano());
    assertThat(collector.posts())
        .allMatch(post -> post.path().equals("/v1/traces"))
        .allMatch(post -> post.contentType().equals("application/json"));
  }

  @Test
  void aFailedCallIsAnErrorOfItsSpanAndItsPlan() {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given
        .upstream()
        .next("/refunds/b", new Upstream.Behaviour.Fail(422, "{\"error\":\"words\"}", Map.of()));
    Plan plan = propose(operator, "01", operator.refund("a"), operator.refund("b"));
    List<Span> spans = await(plan.id(), 3);
    assertThat(spans)
        .filteredOn(span -> span.getName().startsWith("execute_tool"))
        .extracting(span -> span.getStatus().getCode())
        .containsExactlyInAnyOrder(
            Status.StatusCode.STATUS_CODE_UNSET, Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(spans)
        .filteredOn(span -> span.getStatus().getCode() == Status.StatusCode.STATUS_CODE_ERROR)
        .hasSize(2)
        .allMatch(span -> attribute(span, "error.type").getStringValue().equals("failed"))
        .allMatch(span -> !span.toString().contains("words"));
    Span whole = named(spans, "invoke_plan", TRACE);
    assertThat(whole.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
  }

  @Test
  void retryableCollectorErrorsRepeatTheSameSpans() {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    collector.next(
        new Told(503, Map.of("Retry-After", "1"), "busy"),
        new Told(429, Map.of("Retry-After", "1"), ""),
        // Longer than one run of the function waits: the stream brings it again.
        new Told(503, Map.of("Retry-After", "600"), ""),
        new Told(502, Map.of(), ""));
    Plan plan = propose(operator, "01", operator.refund("a"));
    List<Span> taken = await(plan.id(), 2);
    List<Span> refused = collector.refused(plan.id());
    assertThat(refused).isNotEmpty();
    assertThat(ids(taken)).containsAll(ids(refused)).hasSize(2);
  }

  private static Set<String> ids(List<Span> spans) {
    return spans.stream().map(span -> hex(span.getSpanId())).collect(Collectors.toSet());
  }

  @Test
  void spansRefusedOrPartlyAcceptedAreNotPostedAgain() {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    collector.next(new Told(400, Map.of(), "no"));
    Plan refused = propose(operator, "01", operator.refund("a"));
    Await.until(LONGEST, () -> collector.refused(refused.id()), spans -> !spans.isEmpty());
    collector.next(
        new Told(
            200,
            Map.of(),
            "{\"partialSuccess\":{\"rejectedSpans\":\"1\",\"errorMessage\":\"x\"}}"));
    Plan partial = propose(operator, "01", operator.refund("b"));
    await(partial.id(), 2);
    collector.next(new Told(200, Map.of(), "x".repeat(4_000_000)));
    Plan large = propose(operator, "01", operator.refund("c"));
    await(large.id(), 2);
    // What came after tells that nothing was tried again: the stream is read in order.
    Plan last = propose(operator, "01", operator.refund("d"));
    await(last.id(), 2);
    for (Plan plan : List.of(partial, large)) {
      assertThat(collector.taken(plan.id())).as(plan.id()).hasSize(2);
    }
    assertThat(collector.taken(refused.id())).isEmpty();
  }

  @Test
  void unsampledPlansPostNoSpansAndPlansWithoutACallerGetATrace() {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan unsampled = propose(operator, "00", operator.refund("a"));
    Plan alone = operator.propose(operator.refund("b"));
    List<Span> spans = await(alone.id(), 2);
    assertThat(spans).extracting(Span::getTraceId).containsOnly(spans.getFirst().getTraceId());
    assertThat(spans)
        .filteredOn(span -> span.getName().equals("invoke_plan"))
        .singleElement()
        .matches(span -> span.getParentSpanId().isEmpty());
    assertThat(alone.receipt(0).has("trace_id")).isFalse();
    assertThat(collector.taken(unsampled.id())).isEmpty();
    assertThat(collector.refused(unsampled.id())).isEmpty();
  }

  @Test
  void aVetoedPlanHasSpansAndAnUndosSpanIsAChildOfItsOriginals() {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan vetoed = propose(operator, "01", operator.refund("a"));
    vetoed.tryVeto("no").is(200);
    List<Span> spans = await(vetoed.id(), 3);
    assertThat(spans)
        .extracting(Span::getName)
        .containsExactlyInAnyOrder("invoke_plan", "await_approval", "await_approval");
    assertThat(
            attribute(named(spans, "await_approval", TRACE), "governance.approval.outcome")
                .getStringValue())
        .isEqualTo("vetoed");
    Plan undone = propose(operator, "01", operator.refund("b"));
    undone.approve();
    given.api().post("/v1/actions/" + undone.actionId(0) + "/undo", Json.object()).is(200);
    List<Span> told = await(undone.id(), 5);
    Span original = named(told, "execute_tool " + Given.REFUND, TRACE);
    Span undo = named(told, "execute_tool " + Given.CANCEL, TRACE);
    assertThat(undo.getParentSpanId()).isEqualTo(original.getSpanId());
  }

  @Test
  void aDeadCollectorDelaysAndLosesNothing() {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    int port = collector.port();
    collector.close();
    Plan plan = propose(operator, "01", operator.refund("a"));
    assertThat(plan.status()).isEqualTo("executed");
    Hook hook = Hook.at(given.receiver(), given.api(), "receipt.written");
    Plan second = propose(operator, "01", operator.refund("b"));
    hook.await(1);
    collector = new Collector(port);
    assertThat(await(plan.id(), 2)).hasSize(2);
    assertThat(await(second.id(), 2)).hasSize(2);
  }
}
