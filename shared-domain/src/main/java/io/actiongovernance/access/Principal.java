package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.Json;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Author of an act, as the service itself knows it, not as a request claims (contract, section 6,
 * Principals).
 *
 * @param id the identifier of the key, the person, the agent or the operator
 * @param name the name at the time of the act; for an agent, its client as the issuer knows it
 * @param owner the person behind a key or an agent, null if unknown; used only to compare
 *     principals, never shown
 * @param subject the issuer's subject for the person, or for the person behind the key or agent;
 *     null if none. Also used to compare principals; shown only for an agent
 */
public record Principal(
    Type type,
    String id,
    String name,
    @Nullable String owner,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Subject subject) {
  /** Invisible characters, such as U+200B. */
  private static final Pattern UNSEEN = Pattern.compile("\\p{Cf}");

  /** White space between words, of any length and kind. */
  private static final Pattern SPACES = Pattern.compile("\\p{IsWhite_Space}+");

  public enum Type {
    KEY,
    PERSON,
    AGENT,
    OPERATOR;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A principal without a known issuer. */
  public Principal(Type type, String id, String name, @Nullable String owner) {
    this(type, id, name, owner, null);
  }

  /**
   * Returns whether both are the same key, agent or person, or have the same person behind them. An
   * issuer may have named that person before the person existed here.
   */
  public boolean is(Principal other) {
    boolean same = type == other.type && id.equals(other.id);
    return same
        || (person() != null && person().equals(other.person()))
        || (subject != null && subject.equals(other.subject));
  }

  private @Nullable String person() {
    String said = type == Type.PERSON ? id : owner;
    return said == null ? null : spelled(said);
  }

  /**
   * Normalises a name: capitals, extra spaces and invisible characters do not make another person.
   */
  private static String spelled(String said) {
    String seen = UNSEEN.matcher(Normalizer.normalize(said, Normalizer.Form.NFKC)).replaceAll("");
    return SPACES.matcher(seen).replaceAll(" ").strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the person that the owner of a key identifies; empty if the owner is not a person's
   * identifier.
   */
  public static Optional<PersonId> owning(@Nullable String owner) {
    return owner == null ? Optional.empty() : PersonId.parse(spelled(owner));
  }

  /**
   * Returns the published form, which receipts contain too: {@code {"type","id","name"}}. For an
   * agent it also has {@code on_behalf_of}, {@code {"issuer","subject"}}.
   */
  public ObjectNode wire() {
    ObjectNode wire = Json.object().put("type", type.wire()).put("id", id).put("name", name);
    if (type == Type.AGENT && subject != null) {
      wire.putObject("on_behalf_of")
          .put("issuer", subject.issuer())
          .put("subject", subject.subject());
    }
    return wire;
  }
}
