package io.actiongovernance.access;

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
 * @param id of the key, the person or the operator
 * @param name as it was when it was done
 * @param owner the person behind a key, null where none is known; kept to tell whether two
 *     principals are one, never shown
 */
public record Principal(Type type, String id, String name, @Nullable String owner) {
  /** Characters that show nothing, as U+200B. */
  private static final Pattern UNSEEN = Pattern.compile("\\p{Cf}");

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

  /** Whether both are one: the same key or person, or the same person is behind them. */
  public boolean is(Principal other) {
    boolean same = type == other.type && id.equals(other.id);
    return same || (person() != null && person().equals(other.person()));
  }

  private @Nullable String person() {
    String said = type == Type.PERSON ? id : owner;
    return said == null ? null : spelled(said);
  }

  /** However it was said: nobody becomes another by a capital, a space or what is not seen. */
  private static String spelled(String said) {
    return UNSEEN
        .matcher(Normalizer.normalize(said, Normalizer.Form.NFKC))
        .replaceAll("")
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  /** The person that the owner of a key is by its identifier; empty for whoever is named else. */
  public static Optional<PersonId> owning(@Nullable String owner) {
    return owner == null ? Optional.empty() : PersonId.parse(spelled(owner));
  }

  /** How it is answered and receipted: {@code {"type","id","name"}}. */
  public ObjectNode wire() {
    return Json.object().put("type", type.wire()).put("id", id).put("name", name);
  }
}
