package io.actiongovernance.operator;

import static io.actiongovernance.operator.OperatorFixture.done;
import static io.actiongovernance.operator.OperatorFixture.guardrails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.operator.OperatorOutcome.CapabilityUnbound;
import io.actiongovernance.operator.OperatorOutcome.Done;
import io.actiongovernance.operator.OperatorOutcome.NameTaken;
import io.actiongovernance.operator.OperatorOutcome.NotFound;
import io.actiongovernance.operator.OperatorOutcome.QuotaExceeded;
import io.actiongovernance.operator.OperatorOutcome.StaleGuardrails;
import io.actiongovernance.operator.OperatorOutcome.WrongState;
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
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  void everyFieldComesBackFromTheStore() {
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
  void aCreationSentAgainFindsWhatItMade() {
    OperatorId id = OperatorId.next(given.ids);
    OperatorBody body =
        OperatorBody.creation(OperatorFixture.fields("{'name':'one-desk'}"), given.caller);
    Operator first = done(given.operators.create(given.caller, id, body));
    Operator again = done(given.operators.create(given.caller, id, body));
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(given.operators.active(given.live)).hasSize(1);
  }

  @Test
  void aChangeSentAgainIsNotCarriedOutTwice() {
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
    assertThat(given.pause(draft)).isEqualTo(new WrongState(OperatorStatus.DRAFT));
    assertThat(given.resume(draft)).isEqualTo(new WrongState(OperatorStatus.DRAFT));
    Operator active = given.created("active-desk", "");
    assertThat(given.publish(active)).isEqualTo(new WrongState(OperatorStatus.ACTIVE));
    assertThat(given.resume(active)).isEqualTo(new WrongState(OperatorStatus.ACTIVE));
    done(given.pause(active));
    assertThat(given.publish(active)).isEqualTo(new WrongState(OperatorStatus.PAUSED));
    assertThat(given.pause(active)).isEqualTo(new WrongState(OperatorStatus.PAUSED));
    done(given.archive(active));
    WrongState archived = new WrongState(OperatorStatus.ARCHIVED);
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
    assertThat(given.create(given.caller, "refund-desk", ""))
        .isEqualTo(new NameTaken("refund-desk"));
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
        .isEqualTo(new NameTaken("second-desk"));
    assertThat(done(given.update(first.id(), "'name':'third-desk'")).name())
        .isEqualTo("third-desk");
    assertThat(given.create(given.caller, "first-desk", "")).isInstanceOf(Done.class);
    assertThat(given.create(given.caller, "third-desk", "")).isEqualTo(new NameTaken("third-desk"));
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
    QuotaExceeded full = new QuotaExceeded(25);
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
        .isEqualTo(new CapabilityUnbound("fly"));
    assertThat(given.create(given.caller, "refund-desk", "")).isInstanceOf(Done.class);
  }

  @Test
  void aCapabilityNoConnectorFulfilsIsUnboundButNotForDrafts() {
    Operator draft = given.created("draft-desk", "'status':'draft','capabilities':['pay','fly']");
    assertThat(given.publish(draft)).isEqualTo(new CapabilityUnbound("fly"));
    assertThat(given.update(draft.id(), "'capabilities':['swim']")).isInstanceOf(Done.class);
    Operator active = given.created("active-desk", "'capabilities':['pay']");
    assertThat(given.update(active.id(), "'capabilities':['pay','fly']"))
        .isEqualTo(new CapabilityUnbound("fly"));
    done(given.pause(active));
    given.installed.clear();
    assertThat(given.resume(active)).isEqualTo(new CapabilityUnbound("pay"));
    assertThat(given.update(active.id(), "'description':'still paused'")).isInstanceOf(Done.class);
  }

  @Test
  void aConnectorOfAnotherWorkspaceFulfilsNothing() {
    given.installed.add(given.connector("eu", OperatorFixture.tool("ship.send", "ship", 2)));
    assertThat(given.create(given.caller, "us-desk", "'workspace_id':'us','capabilities':['ship']"))
        .isEqualTo(new CapabilityUnbound("ship"));
    Operator europe = given.created("eu-desk", "'workspace_id':'eu','capabilities':['ship','pay']");
    assertThat(given.update(europe.id(), "'workspace_id':'us'"))
        .isEqualTo(new CapabilityUnbound("ship"));
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
  void anUpdateKeepsWhatIsLeftOutAndClearsWhatIsNull() {
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
    assertThat(stale).isEqualTo(new StaleGuardrails(2));
    var ahead =
        given.operators.putGuardrails(
            given.caller, operator.id(), guardrails(ALLOW_ALL), 3, null, given.ids.next());
    assertThat(ahead).isEqualTo(new StaleGuardrails(2));
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
                  given.payments, tool, OperatorFixture.json("{}"), Facts.of(null, "e"), "k");
          assertThat(read.guardrails().evaluate(draft.candidate()).verdict().decision())
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
  void whoWatchesIsActiveAndTriggeredAndOfTheWorkspaceOrTheTenant() {
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
      assertThat(given.operators.pause(pinned, hidden.id(), "r")).isEqualTo(new NotFound());
      assertThat(given.operators.archive(pinned, hidden.id(), "r")).isEqualTo(new NotFound());
    }
    assertThat(given.operators.find(pinned, own.id())).isPresent();
    assertThat(listed(pinned, null, null)).containsExactly("eu-desk");
    assertThat(listed(pinned, null, "us")).isEmpty();
    assertThatThrownBy(() -> given.create(pinned, "x-desk", "'workspace_id':'us'"))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.refusal()).isInstanceOf(Refusal.BeyondKey.class));
    for (String elsewhere : List.of("'us'", "null")) {
      assertThatThrownBy(
              () ->
                  OperatorBody.change(
                      OperatorFixture.fields("{'workspace_id':" + elsewhere + "}"), pinned))
          .isInstanceOf(Problem.class);
    }
  }

  @Test
  void anotherTenantOrModeHasNoSuchOperator() {
    Operator operator = given.created();
    Partition other = new Partition(TenantId.next(given.ids), given.live.mode());
    for (Partition partition : List.of(given.test, other)) {
      Caller stranger = given.caller(partition, null);
      assertThat(given.operators.find(stranger, operator.id())).isEmpty();
      assertThat(given.operators.pause(stranger, operator.id(), "r")).isEqualTo(new NotFound());
      assertThat(listed(stranger, null, null)).isEmpty();
    }
  }

  @Test
  void aListIsNewestFirstAndHidesTheArchivedUnlessAskedForThem() {
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
  void aPageOfGreatOperatorsEndsEarly() {
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
}
