package io.actiongovernance.approval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Statement that one person was asked to sign (contract for people, section 3). A challenge is
 * single-use and valid for five minutes. Immutable.
 *
 * @param id the identifier by which the vote names it
 * @param selected the actions that it is for
 */
record Challenge(
    String id,
    PlanId plan,
    PersonId person,
    List<ActionId> selected,
    @Nullable String note,
    Statement statement,
    String nonce,
    Instant expiresAt) {
  static final Duration LIFE = Duration.ofMinutes(5);

  Challenge {
    selected = List.copyOf(selected);
  }

  private record Doc(
      PlanId plan,
      PersonId person,
      List<ActionId> selected,
      @Nullable String note,
      ObjectNode statement,
      String nonce,
      Instant expiresAt) {}

  Write insert(Partition partition) {
    Doc doc = new Doc(plan, person, selected, note, statement.document(), nonce, expiresAt);
    return Write.insert(
        Item.at(key(partition, id))
            .with("kind", "vote_challenge")
            .with("doc", Json.write(doc))
            .expires(expiresAt)
            .build());
  }

  /** Uses up the challenge; refused if it no longer exists. */
  Write use(Partition partition) {
    return Write.delete(key(partition, id), Condition.present());
  }

  static Optional<Challenge> find(Store store, Partition partition, String id) {
    return store
        .get(key(partition, id))
        .map(item -> Json.read(item.text("doc"), Doc.class))
        .map(
            doc ->
                new Challenge(
                    id,
                    doc.plan(),
                    doc.person(),
                    doc.selected(),
                    doc.note(),
                    new Statement(doc.statement()),
                    doc.nonce(),
                    doc.expiresAt()));
  }

  private static Key key(Partition partition, String id) {
    return Key.single(Table.STATE, partition.key("vote-challenge#" + id));
  }
}
