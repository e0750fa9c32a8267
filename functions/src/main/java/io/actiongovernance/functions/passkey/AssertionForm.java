package io.actiongovernance.functions.passkey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.people.Assertion;

/**
 * What a passkey signed, in the names that WebAuthn has for it ({@code
 * AuthenticationResponseJSON}): a browser's {@code PublicKeyCredential.toJSON()} as it is.
 */
public final class AssertionForm {
  /** What is published of it. */
  public static final String DOC =
      "Assertion by the person's passkey, as `PublicKeyCredential.toJSON()` of"
          + " WebAuthn gives it: `id` and, in `response`, `clientDataJSON`,"
          + " `authenticatorData` and `signature`, each in base64url.";

  /** One, as an example. */
  public static final String EXAMPLE =
      "{\"id\":\"AQIDBA\",\"rawId\":\"AQIDBA\",\"type\":\"public-key\",\"response\":{\"clientDataJSON\":\"e30\",\"authenticatorData\":\"AA\",\"signature\":\"AA\",\"userHandle\":null}}";

  /** The longest of its parts that is taken. */
  private static final int LONGEST = 10_000;

  private AssertionForm() {}

  /**
   * Reads it.
   *
   * @param path of the field that it is in
   */
  public static Assertion read(ObjectNode sent, String path) {
    // Browsers add to it: what is not known is left alone.
    Fields fields = new Fields(sent, path, false);
    Fields response = fields.fields("response");
    return new Assertion(
        fields.text("id", 1, LONGEST),
        response.text("clientDataJSON", 1, LONGEST),
        response.text("authenticatorData", 1, LONGEST),
        response.text("signature", 1, LONGEST));
  }
}
