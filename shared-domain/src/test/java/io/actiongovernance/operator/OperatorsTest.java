package io.actiongovernance.operator;

import static io.actiongovernance.operator.OperatorFixture.done;
import static io.actiongovernance.operator.OperatorFixture.guardrails;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.proposer.PlannedDraft;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class OperatorsTest {
  private static final String ALLOW_ALL = "'name':'all','decision':'ALLOW','tool':'pay.*'";

  private final OperatorFixture given = new OperatorFixture();

  private static Outcome<Operator> full() {
    return Outcome.refused(
        new Refusal.QuotaExceeded(
            "The tenant already has 25 active operators, the maximum. Pause or archive one first."));
  }

  private static Outcome<Operator> wrongState(String status) {
    return Outcome.refused(new Refusal.Conflict("The operator is " + status + "."));
  }

  private static Outcome<Operator> nameTaken(String name) {
    return Outcome.refused(new Refusal.Conflict("An operator named " + name + " already exists."));
  }

  private static Outcome<Operator> stale(int version) {
    return Outcome.refused(
        new Refusal.Conflict(
            "The guardrails are at version "
                + version
                + ", not at expected_version. Read them again."));
  }

  @Test
  void creationIsActiveWithEveryDefault() {
    Operator operator = given.created();
    assertThat(operator.status()).isEqualTo(OperatorStatus.ACTIVE);
    assertThat(operator.triggers()).isEqualTo(Triggers.none());
    assertThat(operator.capabilities()).isEmpty();
    assertThat(operator.guardrailsVersion()).isEqualTo(1);
    assertThat(operator.planTtlSeconds()).isEqualTo(259_200);
    assertThat(operator.pausedAt()).isNull();
    assertThat(found(operator).guardrails().list()).isEmpty();
  }

  @Test
  void theFirstOperatorCreatesTheHandedOnRow() {
    given.created();
    given.created("second", "");
    assertThat(given.store.everything()).filteredOn(HandedOn::isOne).hasSize(1);
  }

  @Test
  void everyFieldIsReadBackFromTheStore() {
    Operator made =
        given.created(
            "refund-desk",
            """
            'display_name':'Refund desk','description':'d','workspace_id':'eu',
            'triggers':{'event_types':['order.*'],'sources':['shop'],'schedule':'rate(15 minutes)'},
            'capabilities':['pay'],'entity_template':'order:{{payload.id}}','instructions':'be kind',
            'model':{'provider':'scripted','plans':[]},'plan_ttl_seconds':5,
            'guardrails':[{'name':'all','decision':'ALLOW','tool':'pay.*'}]
            """);
    Operator found = found(made);
    assertThat(found)
        .usingRecursiveComparison()
        .ignoringFields("guardrails", "createdAt", "updatedAt")
        .isEqualTo(made);
    assertThat(found.guardrails().json()).isEqualTo(made.guardrails().json());
    assertThat(found.createdAt()).isEqualTo(made.createdAt());
  }

  @Test
  void aScheduleWithoutAFutureRunIsRefusedButAnEndedOneIsKept() {
    String never = "'triggers':{'schedule':'cron(0 9 29W 2 ? 2027)'}";
    assertThat(refusal(given.create(given.caller, "never-desk", never)))
        .isEqualTo(
            new Refusal.Invalid(
                "triggers.schedule", "triggers.schedule must have a run in the future."));
    Operator operator = given.created("desk", "'triggers':{'schedule':'cron(0 9 ? * MON 2027)'}");
    assertThat(refusal(given.update(operator.id(), never))).isInstanceOf(Refusal.Invalid.class);
    given.time.pass(Duration.ofDays(800));
    String ended = "'display_name':'Ended','triggers':{'schedule':'cron(0 9 ? * MON 2027)'}";
    assertThat(done(given.update(operator.id(), ended)).displayName()).isEqualTo("Ended");
  }

  @Test
  void aRepeatedCreateRequestReturnsTheFirstOperator() {
    OperatorId id = OperatorId.next(given.ids);
    String body = "{'name':'one-desk'}";
    Operator first = done(OperatorFixture.create(given.operators, given.caller, id, body));
    Operator again = done(OperatorFixture.create(given.operators, given.caller, id, body));
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(given.operators.active(given.live)).hasSize(1);
  }

  @Test
  void aRepeatedChangeRequestIsCarriedOutOnce() {
    Operator operator = given.created();
    String request = given.ids.next();
    var rails = guardrails(ALLOW_ALL);
    assertThat(
            done(given.operators.putGuardrails(
                    given.caller, operator.id(), rails, 1, null, request))
                .guardrailsVersion())
        .isEqualTo(2);
    assertThat(
            done(given.operators.putGuardrails(
                    given.caller, operator.id(), rails, 1, null, request))
                .guardrailsVersion())
        .isEqualTo(2);
    String pause = given.ids.next();
    done(given.operators.pause(given.caller, operator.id(), pause));
    assertThat(done(given.operators.pause(given.caller, operator.id(), pause)).status())
        .isEqualTo(OperatorStatus.PAUSED);
  }

  @Test
  void anOperatorGoesFromDraftToActiveToPausedAndBackAndIsArchived() {
    Operator operator = given.created("refund-desk", "'status':'draft'");
    assertThat(operator.status()).isEqualTo(OperatorStatus.DRAFT);
    assertThat(done(given.publish(operator)).status()).isEqualTo(OperatorStatus.ACTIVE);
    given.time.pass(Duration.ofSeconds(1));
    Operator paused = done(given.pause(operator));
    assertThat(paused.pausedAt()).isEqualTo(given.time.instant()).isEqualTo(paused.updatedAt());
    Operator resumed = done(given.resume(operator));
    assertThat(resumed.status()).isEqualTo(OperatorStatus.ACTIVE);
    assertThat(resumed.pausedAt()).isNull();
    assertThat(done(given.archive(operator)).status()).isEqualTo(OperatorStatus.ARCHIVED);
    assertThat(found(operator).status()).isEqualTo(OperatorStatus.ARCHIVED);
  }

  @Test
  void aWrongSourceStateIsAConflict() {
    Operator draft = given.created("draft-desk", "'status':'draft'");
    assertThat(given.pause(draft)).isEqualTo(wrongState("draft"));
    assertThat(given.resume(draft)).isEqualTo(wrongState("draft"));
    Operator active = given.created("active-desk", "");
    assertThat(given.publish(active)).isEqualTo(wrongState("active"));
    assertThat(given.resume(active)).isEqualTo(wrongState("active"));
    done(given.pause(active));
    assertThat(given.publish(active)).isEqualTo(wrongState("paused"));
    assertThat(given.pause(active)).isEqualTo(wrongState("paused"));
    done(given.archive(active));
    Outcome<Operator> archived = wrongState("archived");
    assertThat(given.publish(active)).isEqualTo(archived);
    assertThat(given.pause(active)).isEqualTo(archived);
    assertThat(given.resume(active)).isEqualTo(archived);
    assertThat(given.archive(active)).isEqualTo(archived);
    assertThat(given.update(active.id(), "'description':'x'")).isEqualTo(archived);
    assertThat(
            given.operators.putGuardrails(
                given.caller, active.id(), guardrails(ALLOW_ALL), 1, null, given.ids.next()))
        .isEqualTo(archived);
  }

  @Test
  void aNameIsUniqueWithinItsModeUntilItsOperatorIsArchived() {
    Operator first = given.created();
    assertThat(given.create(given.caller, "refund-desk", "")).isEqualTo(nameTaken("refund-desk"));
    assertThat(given.create(given.caller(given.test, null), "refund-desk", ""))
        .isInstanceOf(Done.class);
    done(given.archive(first));
    assertThat(given.create(given.caller, "refund-desk", "")).isInstanceOf(Done.class);
  }

  @Test
  void aRenameTakesTheNewNameAndFreesTheOld() {
    Operator first = given.created("first-desk", "");
    given.created("second-desk", "");
    assertThat(given.update(first.id(), "'name':'second-desk'"))
        .isEqualTo(nameTaken("second-desk"));
    assertThat(done(given.update(first.id(), "'name':'third-desk'")).name())
        .isEqualTo("third-desk");
    assertThat(given.create(given.caller, "first-desk", "")).isInstanceOf(Done.class);
    assertThat(given.create(given.caller, "third-desk", "")).isEqualTo(nameTaken("third-desk"));
    assertThat(done(given.update(first.id(), "'name':'third-desk'")).name())
        .isEqualTo("third-desk");
  }

  @Test
  void aTenantHas25ActiveOperatorsInBothModesTogether() {
    Operator draft = given.created("draft-desk", "'status':'draft'");
    Operator paused = given.created("paused-desk", "");
    done(given.pause(paused));
    Caller tester = given.caller(given.test, null);
    for (int count = 0; count < 25; count++) {
      done(given.create(count % 2 == 0 ? given.caller : tester, "desk-" + count, ""));
    }
    Outcome<Operator> full = full();
    assertThat(given.create(given.caller, "one-more", "")).isEqualTo(full);
    assertThat(given.create(tester, "one-more", "")).isEqualTo(full);
    assertThat(given.publish(draft)).isEqualTo(full);
    assertThat(given.resume(paused)).isEqualTo(full);
    assertThat(given.create(given.caller, "another-draft", "'status':'draft'"))
        .isInstanceOf(Done.class);
    done(given.archive(given.operators.active(given.live).getFirst()));
    assertThat(given.resume(paused)).isInstanceOf(Done.class);
    assertThat(given.publish(draft)).isEqualTo(full);
  }

  @Test
  void aRefusedCreationLeavesItsNameFree() {
    assertThat(given.create(given.caller, "refund-desk", "'capabilities':['fly']"))
        .isEqualTo(Outcome.refused(new Refusal.CapabilityUnbound("fly")));
    assertThat(given.create(given.caller, "refund-desk", "")).isInstanceOf(Done.class);
  }

  @Test
  void aCapabilityNoConnectorFulfilsIsUnboundButNotForDrafts() {
    Operator draft = given.created("draft-desk", "'status':'draft','capabilities':['pay','fly']");
    assertThat(given.publish(draft))
        .isEqualTo(Outcome.refused(new Refusal.CapabilityUnbound("fly")));
    assertThat(given.update(draft.id(), "'capabilities':['swim']")).isInstanceOf(Done.class);
    Operator active = given.created("active-desk", "'capabilities':['pay']");
    assertThat(given.update(active.id(), "'capabilities':['pay','fly']"))
        .isEqualTo(Outcome.refused(new Refusal.CapabilityUnbound("fly")));
    done(given.pause(active));
    given.installed.clear();
    assertThat(given.resume(active))
        .isEqualTo(Outcome.refused(new Refusal.CapabilityUnbound("pay")));
    assertThat(given.update(active.id(), "'description':'still paused'")).isInstanceOf(Done.class);
  }

  @Test
  void aConnectorOfAnotherWorkspaceFulfilsNothing() {
    given.installed.add(given.connector("eu", OperatorFixture.tool("ship.send", "ship", 2)));
    assertThat(given.create(given.caller, "us-desk", "'workspace_id':'us','capabilities':['ship']"))
        .isEqualTo(Outcome.refused(new Refusal.CapabilityUnbound("ship")));
    Operator europe = given.created("eu-desk", "'workspace_id':'eu','capabilities':['ship','pay']");
    assertThat(given.update(europe.id(), "'workspace_id':'us'"))
        .isEqualTo(Outcome.refused(new Refusal.CapabilityUnbound("ship")));
  }

  @Test
  void onlyActiveOperatorsNeedTheirCapabilities() {
    Operator operator = given.created("refund-desk", "'capabilities':['pay']");
    given.created("any-desk", "");
    assertThat(given.operators.neededByActiveOperator(given.live, "pay")).isTrue();
    assertThat(given.operators.neededByActiveOperator(given.live, "look")).isFalse();
    assertThat(given.operators.neededByActiveOperator(given.test, "pay")).isFalse();
    done(given.pause(operator));
    assertThat(given.operators.neededByActiveOperator(given.live, "pay")).isFalse();
  }

  @Test
  void anUpdateKeepsOmittedFieldsAndClearsNullOnes() {
    Operator operator =
        given.created(
            "refund-desk",
            "'display_name':'A','description':'B','workspace_id':'eu','instructions':'C',"
                + "'triggers':{'event_types':['a.b']},'capabilities':['pay'],'entity_template':'x',"
                + "'model':{'provider':'scripted','plans':[]},'plan_ttl_seconds':60");
    given.time.pass(Duration.ofSeconds(1));
    Operator changed = done(given.update(operator.id(), "'description':'changed'"));
    assertThat(changed)
        .usingRecursiveComparison()
        .ignoringFields("description", "updatedAt", "guardrails")
        .isEqualTo(operator);
    assertThat(changed.description()).isEqualTo("changed");
    assertThat(changed.updatedAt()).isEqualTo(given.time.instant());
    Operator cleared =
        done(
            given.update(
                operator.id(),
                "'display_name':null,'description':null,'workspace_id':null,'instructions':null,"
                    + "'triggers':null,'capabilities':null,'entity_template':null,'model':null,"
                    + "'guardrails':null,'plan_ttl_seconds':null"));
    assertThat(cleared.displayName()).isNull();
    assertThat(cleared.description()).isNull();
    assertThat(cleared.workspaceId()).isNull();
    assertThat(cleared.instructions()).isNull();
    assertThat(cleared.triggers()).isEqualTo(Triggers.none());
    assertThat(cleared.capabilities())
        .as("a list that is null is left out: to clear it would widen the operator's reach")
        .containsExactly("pay");
    assertThat(cleared.entityTemplate()).isNull();
    assertThat(cleared.model()).isNull();
    assertThat(cleared.planTtlSeconds()).isEqualTo(Operator.DEFAULT_PLAN_TTL);
    assertThat(cleared.guardrailsVersion()).isEqualTo(1);
  }

  @Test
  void guardrailsHaveOneMoreVersionForEveryChange() {
    Operator operator = given.created();
    var first =
        given.operators.putGuardrails(
            given.caller, operator.id(), guardrails(ALLOW_ALL), 1, null, given.ids.next());
    assertThat(done(first).guardrailsVersion()).isEqualTo(2);
    var stale =
        given.operators.putGuardrails(
            given.caller, operator.id(), guardrails(ALLOW_ALL), 1, null, given.ids.next());
    assertThat(stale).isEqualTo(stale(2));
    var ahead =
        given.operators.putGuardrails(
            given.caller, operator.id(), guardrails(ALLOW_ALL), 3, null, given.ids.next());
    assertThat(ahead).isEqualTo(stale(2));
    Operator patched = done(given.update(operator.id(), "'guardrails':[]"));
    assertThat(patched.guardrailsVersion()).isEqualTo(3);
    assertThat(found(operator).guardrails().list()).isEmpty();
    assertThat(done(given.pause(operator)).guardrailsVersion()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not json",
        "{}",
        "[{}]",
        "[1]",
        "null",
        "[{\"name\":\"x\",\"decision\":\"ALLOW\",\"tool\":\"\"}]"
      })
  void guardrailsThatCannotBeReadRefuseEverything(String stored) {
    Operator operator = given.created("refund-desk", "'guardrails':[{" + ALLOW_ALL + "}]");
    Operator large = given.created("large-desk", manyGuardrails());
    Change corrupted = Change.set("guardrails", stored);
    for (Key key :
        List.of(
            OperatorItems.key(given.live, operator.id()),
            OperatorItems.guardrailsKey(given.live, large.id(), 1))) {
      assertThat(given.store.write(Write.update(key, Condition.present(), corrupted)).done())
          .isTrue();
    }
    assertRefusesEverything(operator);
    assertRefusesEverything(large);
  }

  @Test
  void guardrailsThatAreMissingRefuseEverything() {
    Operator operator = given.created("refund-desk", "'guardrails':[{" + ALLOW_ALL + "}]");
    Operator large = given.created("large-desk", manyGuardrails());
    given.store.write(
        Write.update(
            OperatorItems.key(given.live, operator.id()),
            Condition.present(),
            Change.remove("guardrails")));
    given.store.write(
        Write.delete(OperatorItems.guardrailsKey(given.live, large.id(), 1), Condition.present()));
    assertRefusesEverything(operator);
    assertRefusesEverything(large);
  }

  @Test
  void largeGuardrailsAreReadLikeSmallOnes() {
    Operator large = given.created("large-desk", manyGuardrails());
    for (Operator read : List.of(found(large), active(large))) {
      assertThat(read.guardrails().json()).isEqualTo(large.guardrails().json());
    }
  }

  /** More than go into an operator's row. */
  private static String manyGuardrails() {
    return "'guardrails':["
        + IntStream.range(0, 200)
            .mapToObj(at -> "{'name':'g" + at + "','decision':'ALLOW','tool':'*.*'}")
            .collect(Collectors.joining(","))
        + "]";
  }

  private void assertRefusesEverything(Operator operator) {
    Logger log = (Logger) LoggerFactory.getLogger(OperatorItems.class);
    Level before = log.getLevel();
    log.setLevel(Level.OFF);
    try {
      for (Operator read : List.of(found(operator), active(operator))) {
        for (var tool : given.payments.tools()) {
          var draft =
              new PlannedDraft(
                  given.payments,
                  tool,
                  OperatorFixture.json("{}"),
                  Facts.of(null, new EntityKey("e")),
                  "k");
          assertThat(
                  read.guardrails().evaluate(draft.candidate(Instant.EPOCH)).verdict().decision())
              .isEqualTo(Decision.BLOCK);
        }
      }
      assertThat(given.update(operator.id(), "'guardrails':[{" + ALLOW_ALL + "}]"))
          .as("new guardrails mend it")
          .isInstanceOf(Done.class);
    } finally {
      log.setLevel(before);
    }
    assertThat(found(operator).guardrails().list()).hasSize(1);
  }

  /** As it is read among all that are active. */
  private Operator active(Operator operator) {
    return given.operators.active(given.live).stream()
        .filter(one -> one.id().equals(operator.id()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void onlyActiveTriggeredOperatorsInScopeWatchAnEvent() {
    Operator all = given.created("all-desk", "'triggers':{'event_types':['order.*']}");
    Operator europe =
        given.created(
            "eu-desk", "'workspace_id':'eu','triggers':{'event_types':['order.created']}");
    given.created("us-desk", "'workspace_id':'us','triggers':{'event_types':['order.*']}");
    given.created("desk-desk", "'triggers':{'event_types':['order.*'],'sources':['desk']}");
    given.created("idle-desk", "");
    Operator paused = given.created("paused-desk", "'triggers':{'event_types':['order.*']}");
    done(given.pause(paused));
    given.created("draft-desk", "'status':'draft','triggers':{'event_types':['order.*']}");
    assertThat(watching("order.created", "shop", "eu")).containsExactly(all.id(), europe.id());
    assertThat(watching("order.created", "shop", null)).containsExactly(all.id());
    assertThat(watching("order.refund.issued", "shop", null)).isEmpty();
    assertThat(watching("order.paid", "shop", "eu")).containsExactly(all.id());
  }

  private List<OperatorId> watching(String type, String source, @Nullable String workspace) {
    Event event = given.event(type, source, workspace, "{}");
    return given.operators.active(event.partition()).stream()
        .filter(operator -> operator.watches(event))
        .map(Operator::id)
        .toList();
  }

  @Test
  void aPinnedKeySeesAndTouchesOnlyItsWorkspace() {
    Operator wide = given.created("wide-desk", "");
    Operator other = given.created("us-desk", "'workspace_id':'us'");
    Caller pinned = given.caller(given.live, "eu");
    Operator own = done(given.create(pinned, "eu-desk", ""));
    assertThat(own.workspaceId()).isEqualTo("eu");
    for (Operator hidden : List.of(wide, other)) {
      assertThat(given.operators.find(pinned, hidden.id())).isEmpty();
      assertThat(given.operators.pause(pinned, hidden.id(), "r"))
          .isEqualTo(Outcome.refused(new Refusal.NotFound("operator")));
      assertThat(given.operators.archive(pinned, hidden.id(), "r"))
          .isEqualTo(Outcome.refused(new Refusal.NotFound("operator")));
    }
    assertThat(given.operators.find(pinned, own.id())).isPresent();
    assertThat(listed(pinned, null, null)).containsExactly("eu-desk");
    assertThat(listed(pinned, null, "us")).isEmpty();
    assertThat(refusal(given.create(pinned, "x-desk", "'workspace_id':'us'")))
        .isInstanceOf(Refusal.BeyondKey.class);
    for (String elsewhere : List.of("'us'", "null")) {
      OperatorBody body = OperatorFixture.body("{'workspace_id':" + elsewhere + "}");
      assertThat(refusal(given.operators.update(pinned, own.id(), body, given.ids.next())))
          .isInstanceOf(Refusal.BeyondKey.class);
    }
  }

  @Test
  void anotherTenantOrModeHasNoSuchOperator() {
    Operator operator = given.created();
    Partition other = new Partition(TenantId.next(given.ids), given.live.mode());
    for (Partition partition : List.of(given.test, other)) {
      Caller stranger = given.caller(partition, null);
      assertThat(given.operators.find(stranger, operator.id())).isEmpty();
      assertThat(given.operators.pause(stranger, operator.id(), "r"))
          .isEqualTo(Outcome.refused(new Refusal.NotFound("operator")));
      assertThat(listed(stranger, null, null)).isEmpty();
    }
  }

  @Test
  void aListIsNewestFirstAndHidesArchivedOperatorsByDefault() {
    given.created("a-desk", "");
    given.created("b-desk", "'status':'draft'");
    Operator archived = given.created("c-desk", "");
    done(given.archive(archived));
    Operator paused = given.created("d-desk", "'workspace_id':'eu'");
    done(given.pause(paused));
    given.created("e-desk", "'workspace_id':'eu'");
    assertThat(listed(given.caller, null, null))
        .containsExactly("e-desk", "d-desk", "b-desk", "a-desk");
    assertThat(listed(given.caller, OperatorStatus.ARCHIVED, null)).containsExactly("c-desk");
    assertThat(listed(given.caller, OperatorStatus.ACTIVE, null))
        .containsExactly("e-desk", "a-desk");
    assertThat(listed(given.caller, null, "eu")).containsExactly("e-desk", "d-desk");
    assertThat(listed(given.caller, OperatorStatus.PAUSED, "eu")).containsExactly("d-desk");
    assertThat(listed(given.caller, OperatorStatus.ARCHIVED, "eu")).isEmpty();
    assertThat(listed(given.caller, null, "none")).isEmpty();
  }

  /** All pages, by pages of every size, which agree. */
  private List<String> listed(
      Caller by, @Nullable OperatorStatus status, @Nullable String workspace) {
    List<String> all = pages(by, status, workspace, 100);
    for (int limit = 1; limit <= 5; limit++) {
      assertThat(pages(by, status, workspace, limit)).isEqualTo(all);
    }
    return all;
  }

  private List<String> pages(
      Caller by, @Nullable OperatorStatus status, @Nullable String workspace, int limit) {
    List<String> names = new ArrayList<>();
    String after = null;
    do {
      Page<Operator> page =
          given.operators.list(
              by, new OperatorFilter(status, workspace), new PageRequest(limit, after));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      page.items().forEach(one -> names.add(one.name()));
      after = page.next();
    } while (after != null);
    return names;
  }

  @Test
  void aPageOfLargeOperatorsEndsEarly() {
    String text = "x".repeat(19_000);
    String plans =
        ("{'event_type':'a.b','reasoning':'"
                + "y".repeat(9_900)
                + "','actions':[{'connector':'c','tool':'t'}]},")
            .repeat(20);
    for (int count = 0; count < 24; count++) {
      given.created(
          "desk-" + count,
          "'instructions':'%s','model':{'provider':'scripted','plans':[%s]}"
              .formatted(text, plans.substring(0, plans.length() - 1)));
    }
    Page<Operator> page =
        given.operators.list(
            given.caller, new OperatorFilter(null, null), new PageRequest(100, null));
    assertThat(page.items()).hasSizeBetween(15, 22);
    assertThat(page.next()).isNotNull();
  }

  @Test
  void aModelAddressThatTheRulesForbidIsRefused() {
    Operators guarded =
        new Operators(
            given.store,
            new Transactions(given.store, given.time, new SplittableRandom(7)),
            given.time,
            new OperatorRules(
                (_, _) -> List.of(),
                url ->
                    url.getHost().equals("inside.example")
                        ? Optional.of("must be outside")
                        : Optional.empty()),
            OperatorFixture.FORMS);
    String body =
        "{'name':'desk','model':{'provider':'openai_compatible','model':'m',"
            + "'base_url':'https://%s.example'}}";
    Refusal inside = new Refusal.Invalid("model.base_url", "model.base_url must be outside.");
    OperatorId id = OperatorId.next(given.ids);
    assertThat(OperatorFixture.create(guarded, given.caller, id, body.formatted("inside")))
        .isEqualTo(Outcome.refused(inside));
    done(OperatorFixture.create(guarded, given.caller, id, body.formatted("outside")));
    OperatorBody moved = OperatorFixture.body(body.formatted("inside"));
    assertThat(guarded.update(given.caller, id, moved, given.ids.next()))
        .isEqualTo(Outcome.refused(inside));
  }

  @Test
  void anOperatorThatCouldNotBeStoredIsRefused() {
    String plan =
        "{'event_type':'a.b','reasoning':'"
            + "y".repeat(10_000)
            + "','actions':[{'connector':'c','tool':'t'}]}";
    String plans = (plan + ",").repeat(29) + plan;
    assertThatThrownBy(
            () ->
                given.created(
                    "big-desk", "'model':{'provider':'scripted','plans':[" + plans + "]}"))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal()).isInstanceOf(Refusal.TooLarge.class));
  }

  private Operator found(Operator operator) {
    return given.operators.find(given.caller, operator.id()).orElseThrow();
  }

  @Test
  void anOperatorIdLeadsToItsPartition() {
    Operator operator = given.created();
    assertThat(given.operators.home(operator.id())).contains(operator.partition());
    assertThat(given.operators.home(OperatorId.next(given.ids))).isEmpty();
  }
}
