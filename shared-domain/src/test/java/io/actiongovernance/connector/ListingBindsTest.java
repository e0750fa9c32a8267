package io.actiongovernance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What each tool of each shipped listing binds, so that guardrails and limits go by what will be
 * called (contract, section 3). A tool that moves money binds its value, and its currency where its
 * request carries one; a tool on one named thing binds that as its entity.
 */
class ListingBindsTest {
  /**
   * By line: a tool, its entity, its value and currency, and why it binds no entity. A new tool is
   * to be thought about, and so is not in the table by itself.
   */
  private static final String TABLE =
      """
      sandbox.payment.refund | order:{{args.order}} | /amount /currency |
      sandbox.payment.cancel_refund | order:{{args.order}} | |
      sandbox.record.read | record:{{args.record}} | |
      sandbox.record.update | record:{{args.record}} | |
      sandbox.deploy.run | service:{{args.service}} | |
      sandbox.effects.count | | | reads about no one thing
      github.issue.read | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.issue.list | | | reads about no one thing
      github.issue.create | | | what it makes has no name yet
      github.issue.add_label | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.issue.remove_label | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.issue.add_assignees | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.issue.remove_assignees | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.issue.close | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.issue.reopen | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.comment.create | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.comment.delete | | | the issue that it is on is not among its arguments
      github.pull.read | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.pull.merge | issue:{{args.owner}}/{{args.repo}}#{{args.number}} | |
      github.workflow.dispatch | workflow:{{args.owner}}/{{args.repo}}/{{args.workflow}} | |
      slack.chat.post_message | channel:{{args.channel}} | |
      slack.chat.update | channel:{{args.channel}} | |
      slack.chat.delete | channel:{{args.channel}} | |
      slack.reactions.add | channel:{{args.channel}} | |
      slack.reactions.remove | channel:{{args.channel}} | |
      slack.conversations.list | | | reads about no one thing
      slack.conversations.history | channel:{{args.channel}} | |
      slack.users.lookup_by_email | user:{{args.email}} | |
      stripe.customer.read | customer:{{args.customer}} | |
      stripe.customer.list | | | reads about no one thing
      stripe.customer.create | | | what it makes has no name yet
      stripe.customer.update | customer:{{args.customer}} | |
      stripe.customer.delete | customer:{{args.customer}} | |
      stripe.charge.read | charge:{{args.charge}} | |
      stripe.charge.list | | | reads about no one thing
      stripe.payment_intent.read | payment_intent:{{args.payment_intent}} | |
      stripe.payment_intent.capture | payment_intent:{{args.payment_intent}} | /amount_to_capture |
      stripe.payment_intent.cancel | payment_intent:{{args.payment_intent}} | |
      stripe.refund.read | refund:{{args.refund}} | |
      stripe.refund.create | charge:{{args.charge}} or payment_intent:{{args.payment_intent}} | /amount |
      stripe.refund.cancel | | | what was refunded is not among its arguments
      stripe.subscription.read | subscription:{{args.subscription}} | |
      stripe.subscription.end_renewal | subscription:{{args.subscription}} | |
      stripe.subscription.renew | subscription:{{args.subscription}} | |
      stripe.subscription.cancel | subscription:{{args.subscription}} | |
      zendesk.ticket.read | ticket:{{args.ticket}} | |
      zendesk.ticket.search | | | reads about no one thing
      zendesk.comment.list | ticket:{{args.ticket}} | |
      zendesk.ticket.create | | | what it makes has no name yet
      zendesk.ticket.update | ticket:{{args.ticket}} | |
      zendesk.comment.create | ticket:{{args.ticket}} | |
      zendesk.ticket.add_tags | ticket:{{args.ticket}} | |
      zendesk.ticket.remove_tags | ticket:{{args.ticket}} | |
      zendesk.ticket.delete | ticket:{{args.ticket}} | |
      zendesk.ticket.restore | ticket:{{args.ticket}} | |
      zendesk.user.read | user:{{args.user}} | |
      jira.issue.read | issue:{{args.issue}} | |
      jira.issue.search | | | reads about no one thing
      jira.issue.create | | | what it makes has no name yet
      jira.issue.update | issue:{{args.issue}} | |
      jira.issue.assign | issue:{{args.issue}} | |
      jira.transition.list | issue:{{args.issue}} | |
      jira.issue.transition | issue:{{args.issue}} | |
      jira.comment.create | issue:{{args.issue}} | |
      jira.comment.delete | issue:{{args.issue}} | |
      jira.watcher.add | issue:{{args.issue}} | |
      jira.watcher.remove | issue:{{args.issue}} | |
      jira.issue.delete | issue:{{args.issue}} | |
      pagerduty.incident.read | incident:{{args.incident}} | |
      pagerduty.incident.list | | | reads about no one thing
      pagerduty.oncall.list | | | reads about no one thing
      pagerduty.incident.create | | | what it makes has no name yet
      pagerduty.incident.acknowledge | incident:{{args.incident}} | |
      pagerduty.incident.resolve | incident:{{args.incident}} | |
      pagerduty.incident.set_urgency | incident:{{args.incident}} | |
      pagerduty.incident.reassign | incident:{{args.incident}} | |
      pagerduty.incident.snooze | incident:{{args.incident}} | |
      pagerduty.note.create | incident:{{args.incident}} | |
      pagerduty.maintenance_window.create | | | what it makes has no name yet
      pagerduty.maintenance_window.delete | maintenance_window:{{args.window}} | |
      hubspot.contact.read | contact:{{args.contact}} | |
      hubspot.contact.update | contact:{{args.contact}} | |
      asana.task.read | task:{{args.task}} | |
      asana.task.create | | | what it makes has no name yet
      asana.task.delete | task:{{args.task}} | |
      asana.task.complete | task:{{args.task}} | |
      asana.task.reopen | task:{{args.task}} | |
      asana.comment.add | task:{{args.task}} | |
      asana.comment.delete | | | the task that it is on is not among its arguments
      """;

  /** Tools that move money although no argument says how much: permitting one permits any sum. */
  private static final Set<String> MOVE_MONEY_WITHOUT_SAYING_HOW_MUCH =
      Set.of(
          "sandbox.payment.cancel_refund",
          "stripe.refund.cancel",
          "stripe.payment_intent.cancel",
          "stripe.subscription.cancel",
          "stripe.subscription.renew",
          "stripe.subscription.end_renewal",
          "stripe.customer.delete");

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{args\\.([a-zA-Z_]+)}}");
  private static final Pattern AMOUNT =
      Pattern.compile("amount(_.*)?|price|total|sum|value|currency");

  private final List<Tool> tools =
      Listings.load().all().stream().flatMap(listing -> listing.tools().stream()).toList();

  private record Line(String tool, String entity, String money, String why) {
    static Line parse(String text) {
      String[] cells = text.split("\\|", -1);
      return new Line(
          cells[0].strip(),
          cells[1].strip(),
          cells[2].strip(),
          cells.length < 4 ? "" : cells[3].strip());
    }
  }

  private static List<Line> table() {
    return TABLE.lines().map(Line::parse).toList();
  }

  private static String money(Binds binds) {
    return Stream.concat(Stream.ofNullable(binds.value()), Stream.ofNullable(binds.currency()))
        .map(JsonPointer::toString)
        .collect(Collectors.joining(" "));
  }

  @Test
  void everyToolBindsAsTheTableSays() {
    assertThat(tools.stream().map(ListingBindsTest::line))
        .containsExactlyElementsOf(
            table().stream()
                .map(line -> line.tool() + ": " + line.entity() + "; " + line.money())
                .toList());
  }

  private static String line(Tool tool) {
    return tool.name()
        + ": "
        + String.join(" or ", tool.binds().entity())
        + "; "
        + money(tool.binds());
  }

  @Test
  void aToolThatBindsNoEntityHasAReason() {
    assertThat(table())
        .allSatisfy(line -> assertThat(line.entity().isEmpty()).isEqualTo(!line.why().isEmpty()));
  }

  /** Any argument that looks like money is bound: one that a new tool brings is seen here. */
  @Test
  void everyAmountAmongTheArgumentsIsBound() {
    assertThat(tools)
        .allSatisfy(
            tool ->
                assertThat(money(tool.binds()))
                    .isEqualTo(
                        tool.inputSchema().json().path("properties").properties().stream()
                            .map(property -> property.getKey())
                            .filter(name -> AMOUNT.matcher(name).matches())
                            .map(name -> "/" + name)
                            .collect(Collectors.joining(" "))));
  }

  @Test
  void aToolThatMovesAnUnstatedAmountBindsNoValue() {
    assertThat(tools)
        .filteredOn(tool -> MOVE_MONEY_WITHOUT_SAYING_HOW_MUCH.contains(tool.name()))
        .hasSameSizeAs(MOVE_MONEY_WITHOUT_SAYING_HOW_MUCH)
        .allSatisfy(tool -> assertThat(tool.binds().bindsValue()).isFalse());
  }

  @Test
  void everyTemplateNamesOnlyArguments() {
    assertThat(tools)
        .allSatisfy(
            tool ->
                assertThat(names(tool))
                    .allMatch(tool.inputSchema().json().path("properties")::has));
  }

  private static Stream<String> names(Tool tool) {
    return Stream.concat(tool.binds().entity().stream(), Stream.ofNullable(tool.summary()))
        .flatMap(ListingBindsTest::named);
  }

  private static Stream<String> named(String template) {
    return PLACEHOLDER.matcher(template).results().map((MatchResult result) -> result.group(1));
  }

  /** A call that its schema lets through is not refused for want of an entity. */
  @Test
  void argumentsThatFitTheSchemaYieldTheEntity() {
    assertThat(tools)
        .filteredOn(tool -> tool.binds().bindsEntity())
        .allSatisfy(
            tool ->
                assertThat(tool.binds().entityOf(tool.inputSchema().sample()))
                    .as(tool.name())
                    .isPresent());
  }

  @Test
  void everyToolWithSideEffectsHasASummary() {
    assertThat(tools)
        .filteredOn(Tool::hasSideEffects)
        .allSatisfy(tool -> assertThat(tool.summary()).as(tool.name()).isNotNull());
  }

  /**
   * An inverse acts on the entity of what it takes back: it binds the same, or nothing. Only what
   * was made without a name is taken back under the name it got.
   */
  @Test
  void anInverseBindsTheEntityOfItsOriginal() {
    for (Listing listing : Listings.load().all()) {
      for (Tool tool : listing.tools()) {
        Tool.Inverse inverse = tool.inverse();
        if (inverse == null || !tool.binds().bindsEntity()) {
          continue;
        }
        Binds other = named(listing, inverse.tool()).binds();
        if (other.bindsEntity()) {
          ObjectNode args = tool.inputSchema().sample();
          JsonNode inverseArgs = inverse.inverseArgs(args, echo(args)).orElseThrow();
          assertThat(other.entityOf(inverseArgs))
              .as(tool.name())
              .isEqualTo(tool.binds().entityOf(args));
        }
      }
    }
  }

  private static Tool named(Listing listing, String name) {
    return listing.tools().stream().filter(tool -> tool.name().equals(name)).findFirst().get();
  }

  /** What a source system answers that names the thing as the arguments did. */
  private static ObjectNode echo(ObjectNode args) {
    ObjectNode echo = args.deepCopy();
    echo.set("id", args.has("payment_intent") ? args.get("payment_intent") : args.get("order"));
    for (String other : List.of("ts", "amount_received", "previous")) {
      echo.put(other, 1);
    }
    return echo;
  }
}
