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
 * Configuration change of a request, with its receipt (contract, section 6). The transaction of the
 * change writes the receipt. The receipt's identifier derives from the one minted for the request.
 * So if a request died midway after its change was made, its next attempt finds the receipt.
 *
 * @param workspaceId the object's workspace, or null
 * @param before the object as retrieved before; null if it is created
 * @param after the object as it will be retrieved; null if it is deleted
 * @param secrets the names of the fields whose secrets change, which the object does not show
 */
public record ConfigChange(
    Target target,
    String id,
    Partition partition,
    @Nullable String workspaceId,
    @Nullable ObjectNode before,
    @Nullable ObjectNode after,
    Set<String> secrets) {
  /** Field with the time of the last change of the other fields. */
  private static final String UPDATED = "updated_at";

  private static final String CREDENTIALS = "credentials";
  private static final List<String> SECRETS = List.of("secret", "hint");

  public ConfigChange {
    before = before == null ? null : withoutSecrets(before);
    after = after == null ? null : withoutSecrets(after);
    secrets = Set.copyOf(secrets);
  }

  /** Kind of a configured object. */
  public enum Target {
    OPERATOR,
    /** Guardrails of an operator, under the operator's identifier. */
    GUARDRAILS,
    CONNECTOR,
    KEY,
    WEBHOOK_ENDPOINT,
    CHANNEL,
    PERSON,
    IDENTITY_PROVIDER,
    /** Passkey of a person, under its own identifier. */
    PASSKEY,
    /** Ticket, under the identifier of the session that it begins. */
    TICKET,
    /** Default approval policies of a mode, under the tenant's identifier. */
    APPROVAL_DEFAULTS,
    /** Allowance of a mode, under the tenant's identifier. */
    ALLOWANCE,
    /** Requests per minute of a tenant, under the tenant's identifier. */
    LIMITS;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the names of the fields that change, in the object's order; all fields if the object is
   * created or deleted.
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
   * Returns the write of the receipt, for the transaction of the change. Empty if nothing changes;
   * nothing must then be written.
   *
   * @param request the identifier minted for the request
   */
  public Optional<Write> receipt(Caller caller, String request, Instant at) {
    return receipt(caller.principal(), caller.requestId(), request, at);
  }

  /**
   * Returns the write of the receipt for a request that another request of this principal led to.
   */
  public Optional<Write> receipt(
      Principal principal, RequestId requestId, String request, Instant at) {
    return fields().isEmpty()
        ? Optional.empty()
        : Optional.of(receipt(request, requestId, List.of(Decider.by(principal, null, at))));
  }

  /**
   * Returns the write of the receipt for a change that nobody here decided, because an issuer
   * stated it in a sign-in.
   *
   * @param requestId the identifier of the browser's request
   */
  public Optional<Write> receiptOfIssuer(RequestId requestId, String request) {
    return fields().isEmpty()
        ? Optional.empty()
        : Optional.of(receipt(request, requestId, List.of()));
  }

  /**
   * Returns the write of the receipt for an object that was set up without a key, before any key
   * existed.
   */
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
