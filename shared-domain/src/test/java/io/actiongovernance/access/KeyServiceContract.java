package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every key service does. */
public interface KeyServiceContract {
  Map<String, String> CONTEXT = Map.of("tenant", "t_1", "mode", "live", "purpose", "credentials");

  KeyService service();

  @Test
  default void aDataKeyOpensAgainInItsContext() {
    KeyService.Made made = service().make(CONTEXT);
    assertThat(made.plain()).hasSize(32);
    assertThat(made.wrapped()).matches("[\\w-]+");
    assertThat(service().unwrap(made.wrapped(), CONTEXT)).isEqualTo(made.plain());
    assertThat(service().make(CONTEXT).plain()).isNotEqualTo(made.plain());
  }

  @Test
  default void aDataKeyOpensInNoOtherContext() {
    String wrapped = service().make(CONTEXT).wrapped();
    for (Map<String, String> other :
        List.of(
            Map.<String, String>of(),
            Map.of("tenant", "t_1", "mode", "live"),
            Map.of("tenant", "t_2", "mode", "live", "purpose", "credentials"),
            Map.of("tenant", "t_1", "mode", "test", "purpose", "credentials"),
            Map.of("tenant", "t_1", "mode", "live", "purpose", "result"),
            Map.of("tenant", "t_1", "mode", "live", "purpose", "credentials", "more", "1"))) {
      assertThatIllegalStateException().isThrownBy(() -> service().unwrap(wrapped, other));
    }
  }

  @Test
  default void aChangedWrappedKeyDoesNotOpen() {
    String wrapped = service().make(CONTEXT).wrapped();
    String changed = (wrapped.charAt(0) == 'A' ? 'B' : 'A') + wrapped.substring(1);
    assertThatIllegalStateException().isThrownBy(() -> service().unwrap(changed, CONTEXT));
    assertThatIllegalStateException().isThrownBy(() -> service().unwrap("AAAA", CONTEXT));
  }
}
