package io.actiongovernance.localstack.bench;

import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A page of a hundred out of many receipts beside the same page out of a thousand, for every filter
 * of the list: of what all but a hundred receipts have, and of what only the hundred oldest have.
 * {@code -Dgovernance.bench.receipts} says how many are many.
 */
final class ListsBench {
  private static final int MANY = Integer.getInteger("governance.bench.receipts", 20_000);
  private static final int FEW = 1_000;
  private static final int PAGE = 100;
  private static final int TIMES = 15;

  /** As many writes as a transaction takes. */
  private static final int AT_ONCE = 100;

  private static final int WRITERS = 2;
  private static final String LIST = "/v1/receipts?limit=" + PAGE;

  private final Meter meter;
  private final Ledger few;
  private final Ledger many;

  private ListsBench(Meter meter, Ledger few, Ledger many) {
    this.meter = meter;
    this.few = few;
    this.many = many;
  }

  /** A tenant with receipts. */
  private record Ledger(Tenant tenant, List<Instant> times) {
    /** When the newest receipt was written but so many. */
    String time(int fromNewest) {
      return Timestamps.format(times.get(times.size() - 1 - fromNewest));
    }
  }

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    try (OwnStack stack =
        new OwnStack(PerFunction.service(meter).withoutRelayOf(Table.RECEIPTS), Map.of())) {
      Ledger few = ledger(stack, "few", FEW);
      long began = System.nanoTime();
      Ledger many = ledger(stack, "many", MANY);
      double seconds = (System.nanoTime() - began) / 1e9;
      return List.of(
          new ListsBench(meter, few, many)
              .figures()
              .note(
                  "%,d receipts beside %,d; made in %.0f s. -Dgovernance.bench.receipts says how many."
                      .formatted(MANY, FEW, seconds)));
    }
  }

  private static Ledger ledger(OwnStack stack, String name, int count) throws Exception {
    Tenant tenant = stack.newTenant(name);
    Store store = stack.wiring().store();
    // A millisecond apart, so that a range of times holds as many receipts.
    Instant began = Instant.now().minusMillis(count);
    AtomicInteger millis = new AtomicInteger();
    Ids ids = new Ids(() -> began.plusMillis(millis.get()), new SecureRandom());
    List<ReceiptId> made = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      made.add(ReceiptId.next(ids));
      millis.incrementAndGet();
    }
    Parallel.run(
        Math.ceilDiv(count, AT_ONCE),
        WRITERS,
        batch -> {
          List<Write> writes = new ArrayList<>();
          for (int at = batch * AT_ONCE; at < Math.min(count, (batch + 1) * AT_ONCE); at++) {
            writes.add(ReceiptLedger.append(receipt(tenant, made.get(at), at < PAGE)));
          }
          if (!(store.transact(writes) instanceof Store.Transacted.Done)) {
            throw new IllegalStateException("Receipts were refused.");
          }
        });
    return new Ledger(tenant, made.stream().map(ReceiptId::madeAt).toList());
  }

  private static Receipt receipt(Tenant tenant, ReceiptId id, boolean rare) {
    ReceiptDraft draft =
        new ReceiptDraft(
            tenant.partition(),
            Receipt.Kind.ACTION,
            rare ? ReceiptOutcome.FAILED : ReceiptOutcome.APPLIED);
    for (ReceiptFilter.Field field : ReceiptFilter.Field.values()) {
      if (field != ReceiptFilter.Field.OUTCOME && field != ReceiptFilter.Field.KIND) {
        draft.with(field.documentField(), value(field, rare));
      }
    }
    return draft.with("note", "n".repeat(200)).ok(!rare).seal(id);
  }

  private static String value(ReceiptFilter.Field field, boolean rare) {
    String number = (rare ? "1" : "0").repeat(26);
    return switch (field) {
      case ACTION -> "act_" + number;
      case REQUEST -> "req_" + number;
      case PLAN -> "pl_" + number;
      case EVENT -> "ev_" + number;
      case CORRELATION -> "co_" + number;
      case OPERATOR -> "op_" + number;
      case ENTITY -> "order:" + number;
      case KIND -> "action";
      case OUTCOME -> rare ? "failed" : "applied";
    };
  }

  /** The filters that are measured, by name; what differs between the ledgers is their times. */
  private static Map<String, String> filters(Ledger ledger) {
    Map<String, String> filters = new LinkedHashMap<>();
    filters.put("none", "");
    String since = "&since=" + ledger.time(FEW / 2);
    String until = "&until=" + ledger.time(FEW / 4);
    filters.put("since", since);
    filters.put("until", until);
    filters.put("since, until", since + until);
    for (ReceiptFilter.Field field : ReceiptFilter.Field.values()) {
      String parameter = parameter(field);
      filters.put(parameter + ", of most", "&" + parameter + "=" + value(field, false));
      filters.put(parameter + ", of few", "&" + parameter + "=" + value(field, true));
    }
    filters.put(
        "outcome, operator_id, since",
        "&outcome=applied&operator_id=" + value(ReceiptFilter.Field.OPERATOR, false) + since);
    return filters;
  }

  private static String parameter(ReceiptFilter.Field field) {
    return field == ReceiptFilter.Field.ENTITY ? "entity" : field.documentField();
  }

  private record Cost(int items, double requests, double units, double millis) {}

  private Figures figures() throws Exception {
    Figures figures =
        new Figures(
            "a page of 100 receipts",
            "filter",
            "requests of few",
            "requests of many",
            "units of few",
            "units of many",
            "least ms of few",
            "least ms of many",
            "requests and units",
            "time");
    Map<String, String> ofMany = filters(many);
    double worst = 0;
    for (Map.Entry<String, String> filter : filters(few).entrySet()) {
      String path = ofMany.getOrDefault(filter.getKey(), "");
      List<Double> fewMillis = new ArrayList<>();
      List<Double> manyMillis = new ArrayList<>();
      Cost ofFew = page(few.tenant(), filter.getValue());
      Cost ofMore = page(many.tenant(), path);
      if (ofFew.items() != PAGE || ofMore.items() != PAGE) {
        throw new IllegalStateException("Not a page of 100 by " + filter.getKey());
      }
      for (int time = 0; time < TIMES; time++) {
        fewMillis.add(page(few.tenant(), filter.getValue()).millis());
        manyMillis.add(page(many.tenant(), path).millis());
      }
      double before = Collections.min(fewMillis);
      double after = Collections.min(manyMillis);
      double ratio = Math.max(ofMore.requests() / ofFew.requests(), ofMore.units() / ofFew.units());
      worst = Math.max(worst, ratio);
      figures.row(
          filter.getKey(),
          ofFew.requests(),
          ofMore.requests(),
          ofFew.units(),
          ofMore.units(),
          before,
          after,
          ratio,
          after / before);
    }
    return figures.note(
        "In requests and units the worst costs %.2f times as much.".formatted(worst));
  }

  private Cost page(Tenant tenant, String filter) throws Exception {
    meter.reset();
    long began = System.nanoTime();
    int items = tenant.get(LIST + filter).path("data").size();
    double millis = (System.nanoTime() - began) / 1e6;
    List<Use> reads =
        meter.uses().stream()
            .filter(use -> use.function().equals("list-receipts") && use.reads() > 0)
            .toList();
    return new Cost(items, reads.size(), reads.stream().mapToDouble(Use::reads).sum(), millis);
  }
}
