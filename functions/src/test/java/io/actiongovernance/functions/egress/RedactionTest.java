package io.actiongovernance.functions.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In whatever form a source system echoes a secret, it is taken out. */
final class RedactionTest {
  private static final String SECRET = "tok-SECRET/abc+def==\"q";

  private final Redaction redaction = new Redaction(List.of(SECRET));

  @ParameterizedTest
  @ValueSource(
      strings = {
        SECRET,
        "tok-SECRET/abc+def==\\\"q",
        "tok-SECRET\\/abc+def==\\\"q",
        "tok-SECRET/abc+def==\\\\\\\"q",
        "tok-SECRET\\\\/abc+def==\\\\\\\"q",
        "tok-SECRET\\\\\\/abc+def==\\\\\\\"q"
      })
  void anEchoedSecretIsRedacted(String echo) {
    assertThat(redaction.text("you sent " + echo + "!")).isEqualTo("you sent [redacted]!");
  }

  @ParameterizedTest
  @ValueSource(strings = {SECRET, "plain-secret-0123"})
  void aSecretEchoedInAUrlIsRedacted(String secret) {
    String echo = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    assertThat(new Redaction(List.of(secret)).text("/login?t=" + echo))
        .isEqualTo("/login?t=[redacted]");
  }
}
