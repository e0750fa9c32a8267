package io.actiongovernance.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.ConfigChange.Target;
import io.actiongovernance.receipt.ReceiptFilter.Field;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The receipts of changes of the configuration (contract, section 6). */
class ConfigChangeTest {
  private final OperatorFixture given = new OperatorFixture();
  private final ReceiptLedger ledger = new ReceiptLedger(given.store);
  private final ListReceipts list = new ListReceipts(given.store, new Orphans());

  private static ObjectNode json(String text) {
    return OperatorFixture.json(text);
  }

  private ConfigChange change(@Nullable String before, @Nullable String after, String... secrets) {
    return new ConfigChange(
        Target.CONNECTOR,
        "cn_1",
        given.live,
        null,
        before == null ? null : json(before),
        after == null ? null : json(after),
        Set.of(secrets));
  }

  @Test
  void theFieldsAreThoseThatDiffer() {
    assertThat(change("{'a':1,'b':2,'c':[]}", "{'a':1,'b':3,'d':null}").fields())
        .containsExactly("b", "d", "c");
    assertThat(change(null, "{'a':1,'b':null}").fields()).containsExactly("a", "b");
    assertThat(change("{'a':1}", null).fields()).containsExactly("a");
  }

  @Test
  void aNewUpdateTimeAloneIsNoChange() {
    ConfigChange none =
        change("{'a':1,'updated_at':'2026-01-01'}", "{'a':1,'updated_at':'2026-01-02'}");
    assertThat(none.receipt(given.caller, given.ids.next(), given.time.instant())).isEmpty();
  }

  @Test
  void secretsAndHintsAreInNoHashAndTheirChangeIsNamed() {
    String before = "{'secret':'whsec_…a','hint':'…a','credentials':{'type':'b','hint':'…x'}}";
    String after = "{'secret':'whsec_…b','hint':'…b','credentials':{'type':'b','hint':'…y'}}";
    assertThat(change(before, after).fields()).isEmpty();
    Receipt receipt = written(change(before, after, "credentials"));
    assertThat(receipt.document().at("/change/fields").toString()).isEqualTo("[\"credentials\"]");
    assertThat(receipt.document().at("/change/after_sha256").textValue())
        .isEqualTo(CanonicalJson.sha256(json("{'credentials':{'type':'b'}}")));
  }

  private Receipt written(ConfigChange change) {
    String request = given.ids.next();
    Write write = change.receipt(given.caller, request, given.time.instant()).orElseThrow();
    assertThat(given.store.write(write).done()).isTrue();
    assertThat(given.store.write(write).done()).as("the same request again").isFalse();
    return ledger.find(given.live, new ReceiptId(ReceiptId.PREFIX + request)).orElseThrow();
  }

  @Test
  void theFullListIsOrderedAcrossAllKindsOfReceipts() {
    Random random = new Random(11);
    List<String> all = new ArrayList<>();
    for (int at = 0; at < 60; at++) {
      given.time.pass(Duration.ofMillis(1));
      if (random.nextInt(3) == 0) {
        all.add(written(change(null, "{'a':1}")).id().value());
      } else {
        Receipt.Kind kind = random.nextBoolean() ? Receipt.Kind.ACTION : Receipt.Kind.HALT;
        Receipt receipt =
            new ReceiptDraft(given.live, kind, ReceiptOutcome.APPLIED)
                .seal(ReceiptId.next(given.ids));
        given.store.write(ReceiptLedger.append(receipt));
        all.add(receipt.id().value());
      }
    }
    Collections.reverse(all);
    for (int limit : List.of(1, 2, 7, 59, 60, 100)) {
      assertThat(pages(Map.of(), limit)).as("pages of " + limit).isEqualTo(all);
    }
    List<String> kinds = new ArrayList<>();
    for (Receipt.Kind kind : Receipt.Kind.values()) {
      kinds.addAll(pages(Map.of(Field.KIND, kind.wire()), 7));
    }
    assertThat(kinds).containsExactlyInAnyOrderElementsOf(all);
    assertThat(pages(Map.of(Field.OUTCOME, ReceiptOutcome.CHANGED.wire()), 7))
        .isEqualTo(pages(Map.of(Field.KIND, Receipt.Kind.CONFIG.wire()), 7));
    Partition other = new Partition(TenantId.next(given.ids), Mode.LIVE);
    assertThat(list.list(other, filter(Map.of()), new PageRequest(10, null)).items()).isEmpty();
  }

  private List<String> pages(Map<Field, String> fields, int limit) {
    List<String> ids = new ArrayList<>();
    String after = null;
    do {
      Page<Receipt> page = list.list(given.live, filter(fields), new PageRequest(limit, after));
      page.items().forEach(receipt -> ids.add(receipt.id().value()));
      after = page.next();
    } while (after != null);
    return ids;
  }

  private static ReceiptFilter filter(Map<Field, String> fields) {
    return new ReceiptFilter(fields, null, null, Reach.WHOLE);
  }
}
