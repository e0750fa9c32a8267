package io.actiongovernance.functions.samples;

import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers that are the same with every build, so that the same sources give the same
 * archives. Only for a process that makes samples: nothing that it draws is secret.
 */
final class RepeatedChance extends SecureRandomSpi {
  private static final long serialVersionUID = 1;
  private static final String NAME = "Samples";
  private static final Random RANDOM = new Random(0);

  /** Has every {@code SecureRandom} that is made from now on draw these. */
  static void install() {
    Security.insertProviderAt(new Repeating(), 1);
  }

  private static final class Repeating extends Provider {
    private static final long serialVersionUID = 1;

    Repeating() {
      super(NAME, "1", "Random numbers of samples");
      putService(
          new Service(
              this, "SecureRandom", NAME, RepeatedChance.class.getName(), List.of(), Map.of()) {
            @Override
            public Object newInstance(@Nullable Object parameter) {
              return new RepeatedChance();
            }
          });
    }
  }

  @Override
  protected void engineSetSeed(byte[] seed) {
    // There is one sequence.
  }

  @Override
  protected void engineNextBytes(byte[] bytes) {
    RANDOM.nextBytes(bytes);
  }

  @Override
  protected byte[] engineGenerateSeed(int length) {
    return new byte[length];
  }
}
