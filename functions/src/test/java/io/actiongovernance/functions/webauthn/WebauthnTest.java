package io.actiongovernance.functions.webauthn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What loads the library that judges passkeys: every function has a {@link Webauthn}. */
final class WebauthnTest {
  private static final String LIBRARY = "com/webauthn4j/";

  @Test
  void functionsThatVerifyNothingLoadNoLibrary() throws IOException {
    assertThat(constants(Webauthn.class)).doesNotContain(LIBRARY);
    assertThat(constants(WebauthnLibrary.class)).contains(LIBRARY);
  }

  /** A class that is loaded has its code verified, and that may load whatever it names. */
  private static String constants(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
