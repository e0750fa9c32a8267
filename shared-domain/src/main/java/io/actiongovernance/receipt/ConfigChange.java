package io.actiongovernance.receipt;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request changes of the configuration, and the receipt of it (contract, section 6). The
 * receipt goes into the transaction of the change. Its identifier is made of the one minted for the
 * request, so that a request that died half-way and comes again finds that it was carried out: the
 * receipt is there.
 *
 * @param workspaceId the object's, or null
 * @param before the object as it was retrieved before; null for one that is made
 * @param after the object as it will be retrieved; null for one that is deleted
 * @param secrets the names of the fields whose secrets are changed, which the object does not show
 */
public record ConfigChange(
    Target target,
    String id,
    Partition partition,
    @Nullable String workspaceId,
    @Nullable ObjectNode before,
    @Nullable ObjectNode after,
    Set<String> secrets) {
  /** Says when the others were changed. */
  private static final String UPDATED = "updated_at";

  private static final String CREDENTIALS = "credentials";
  private static final List<String> SECRETS = List.of("secret", "hint");

  public ConfigChange {
    before = before == null ? null : withoutSecrets(before);
    after = after == null ? null : withoutSecrets(after);
    secrets = Set.copyOf(secrets);
  }

  /** What kinds of objects are configured. */
  public enum Target {
    OPERATOR,
    /** An operator's guardrails, by its identifier. */
    GUARDRAILS,
    CONNECTOR,
    KEY,
    WEBHOOK_ENDPOINT,
    CHANNEL,
    PERSON,
    IDENTITY_PROVIDER,
    /** A person's passkey, by its own identifier. */
    PASSKEY,
    /** A ticket, by the identifier of the session that it begins. */
    TICKET,
    /** The policies of approval of a mode, by the tenant's identifier. */
    APPROVAL_DEFAULTS,
    /** The allowance of a mode, by the tenant's identifier. */
    ALLOWANCE,
    /** The requests per minute of a tenant, by its identifier. */
    LIMITS;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The names of the fields that change, in the object's order; of an object that is made or
   * deleted, all of them.
   */
  public Set<String> fields() {
    Set<String> fields = new LinkedHashSet<>();
    for (ObjectNode each : new ObjectNode[] {after, before}) {
      if (each != null) {
        each.fieldNames().forEachRemaining(fields::add);
      }
    }
    fields.removeIf(
        name -> name.equals(UPDATED) || Objects.equals(field(before, name), field(after, name)));
    fields.addAll(secrets);
    return fields;
  }

  /**
   * The write of the receipt, for the transaction of the change; empty if nothing changes, and so
   * nothing is to be written.
   *
   * @param request minted for the request
   */
  public Optional<Write> receipt(Caller caller, String request, Instant at) {
    return receipt(caller.principal(), caller.requestId(), request, at);
  }

  /** The same for a request that another one, of this principal, has led to. */
  public Optional<Write> receipt(
      Principal principal, RequestId requestId, String request, Instant at) {
    return fields().isEmpty()
        ? Optional.empty()
        : Optional.of(receipt(request, requestId, List.of(Decider.by(principal, null, at))));
  }

  /**
   * The same of what nobody here decided: an issuer said it, and a sign-in there brought it.
   *
   * @param requestId of the browser's request
   */
  public Optional<Write> receiptOfIssuer(RequestId requestId, String request) {
    return fields().isEmpty()
        ? Optional.empty()
        : Optional.of(receipt(request, requestId, List.of()));
  }

  /** The write of the receipt of what was set up without a key, before there was one. */
  public Write receiptOfSetup(String request) {
    return receipt(request, null, List.of());
  }

  private Write receipt(String request, @Nullable RequestId requestId, List<Decider> deciders) {
    ObjectNode change = Json.object();
    ArrayNode names = change.putArray("fields");
    fields().forEach(names::add);
    change.put("before_sha256", before == null ? null : CanonicalJson.sha256(before));
    change.put("after_sha256", after == null ? null : CanonicalJson.sha256(after));
    return ReceiptLedger.append(
        new ReceiptDraft(partition, Receipt.Kind.CONFIG, ReceiptOutcome.CHANGED)
            .with("correlation_id", CorrelationId.PREFIX + request)
            .with("workspace_id", workspaceId)
            .request(requestId)
            .decidedBy(deciders)
            .json("target", Json.object().put("type", target.wire()).put("id", id))
            .json("change", change)
            .seal(new ReceiptId(ReceiptId.PREFIX + request)));
  }

  private static ObjectNode withoutSecrets(ObjectNode object) {
    ObjectNode shown = object.deepCopy();
    shown.remove(SECRETS);
    if (shown.path(CREDENTIALS) instanceof ObjectNode credentials) {
      credentials.remove(SECRETS);
    }
    return shown;
  }

  private static @Nullable JsonNode field(@Nullable ObjectNode object, String name) {
    return object == null ? null : object.get(name);
  }
}
