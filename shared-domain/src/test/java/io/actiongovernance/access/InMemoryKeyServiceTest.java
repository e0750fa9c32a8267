package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

final class InMemoryKeyServiceTest implements KeyServiceContract {
  private final KeyService service = another();

  private static KeyService another() {
    return new InMemoryKeyService(new byte[32], new SecureRandom());
  }

  @Override
  public KeyService service() {
    return service;
  }

  @Test
  void aServiceWithTheSameMasterKeyUnwrapsDataKeys() {
    KeyService.Made made = service.make(CONTEXT);
    assertThat(another().unwrap(made.wrapped(), CONTEXT)).isEqualTo(made.plain());
  }
}
