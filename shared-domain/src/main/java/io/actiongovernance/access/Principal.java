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
 * Who did something, as the service itself knows it, and not as a request says (contract, section
 * 6, Principals).
 *
 * @param id of the key, the person, the agent or the operator
 * @param name as it was when it was done; of an agent, its client as the issuer knows it
 * @param owner the person behind a key or an agent, null where none is known; kept to tell whether
 *     two principals are one, never shown
 * @param subject who the person, or the person behind it, is to an issuer; null where that is
 *     nobody. Kept for the same, and shown of an agent alone
 */
public record Principal(
    Type type,
    String id,
    String name,
    @Nullable String owner,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Subject subject) {
  /** Characters that show nothing, as U+200B. */
  private static final Pattern UNSEEN = Pattern.compile("\\p{Cf}");

  /** Room between words, however much and of whichever kind. */
  private static final Pattern SPACES = Pattern.compile("\\p{IsWhite_Space}+");

  /** What kind of principal it is. */
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

  /** One of whom no issuer is known. */
  public Principal(Type type, String id, String name, @Nullable String owner) {
    this(type, id, name, owner, null);
  }

  /**
   * Whether both are one: the same key, agent or person, or the same person is behind them, whom an
   * issuer may have named before there was one here.
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

  /** However it was said: nobody becomes another by a capital, more room or what is not seen. */
  private static String spelled(String said) {
    String seen = UNSEEN.matcher(Normalizer.normalize(said, Normalizer.Form.NFKC)).replaceAll("");
    return SPACES.matcher(seen).replaceAll(" ").strip().toLowerCase(Locale.ROOT);
  }

  /** The person that the owner of a key is by its identifier; empty for whoever is named else. */
  public static Optional<PersonId> owning(@Nullable String owner) {
    return owner == null ? Optional.empty() : PersonId.parse(spelled(owner));
  }

  /**
   * How it is answered and receipted: {@code {"type","id","name"}}, and of an agent {@code
   * on_behalf_of}, {@code {"issuer","subject"}}.
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
