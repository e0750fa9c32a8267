package io.actiongovernance.functions.passkey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.people.Assertion;

/**
 * The assertion that a passkey signed, with WebAuthn's names ({@code AuthenticationResponseJSON}).
 * A browser sends the unchanged result of {@code PublicKeyCredential.toJSON()}.
 */
public final class AssertionForm {
  public static final String DOC =
      "Assertion by the person's passkey, as `PublicKeyCredential.toJSON()` of"
          + " WebAuthn gives it: `id` and, in `response`, `clientDataJSON`,"
          + " `authenticatorData` and `signature`, each in base64url.";

  public static final String EXAMPLE =
      "{\"id\":\"AQIDBA\",\"rawId\":\"AQIDBA\",\"type\":\"public-key\",\"response\":{\"clientDataJSON\":\"e30\",\"authenticatorData\":\"AA\",\"signature\":\"AA\",\"userHandle\":null}}";

  /** The maximum length of each part, in characters. */
  private static final int LONGEST = 10_000;

  private AssertionForm() {}

  /**
   * Reads an assertion.
   *
   * @param path the path of the field that contains the assertion
   */
  public static Assertion read(ObjectNode sent, String path) {
    // Browsers add fields, so unknown ones are ignored.
    Fields fields = new Fields(sent, path, false);
    Fields response = fields.fields("response");
    return new Assertion(
        fields.text("id", 1, LONGEST),
        response.text("clientDataJSON", 1, LONGEST),
        response.text("authenticatorData", 1, LONGEST),
        response.text("signature", 1, LONGEST));
  }
}
