package io.actiongovernance.archive;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.store.Key;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * What is archived, each under the day of its own identifier. What a plan has beside its row, its
 * exchange with a model, its entities and its votes, goes with it.
 */
public enum RowKind {
  RECEIPT(ReceiptId.PREFIX),
  PLAN(PlanId.PREFIX),
  ACTION(ActionId.PREFIX),
  APPROVAL(ApprovalId.PREFIX);

  private final String prefix;

  RowKind(String prefix) {
    this.prefix = prefix;
  }

  /** As names of objects have it: {@code receipt}. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What identifiers of this kind begin with. */
  String prefix() {
    return prefix;
  }

  /** Whether an identifier is of this kind and says a day: whether it was made here. */
  boolean isMinted(String id) {
    return Ids.isMinted(prefix, id);
  }

  /** The identifier that a row of this kind is archived under, by its key. */
  String idOf(Key key) {
    String partition = key.partition();
    return key.range().startsWith(prefix)
        ? key.range()
        : partition.substring(partition.lastIndexOf('#') + 1);
  }

  /** The day, in UTC, that an identifier says: {@code rc_…}. */
  static LocalDate dayOf(String id) {
    return LocalDate.ofInstant(madeAt(id), ZoneOffset.UTC);
  }

  /** The instant that an identifier says. */
  static Instant madeAt(String id) {
    return Ids.timeOf(id.substring(id.indexOf('_') + 1));
  }
}
