package io.actiongovernance.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.StoreUnavailable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is stored is sealed under a key of its tenant, mode and purpose. */
final class DataKeysTest {
  private static final Partition LIVE = Partition.parse("t_1#live");
  private static final PurposeKeys KEYS = PurposeKeys.derived(List.of(new byte[32]));

  private final InMemoryStore store = new InMemoryStore();
  private final TestTime time = new TestTime();
  private final KeyService inner = new InMemoryKeyService(new byte[32], new SecureRandom());
  private int opened;
  private boolean away;
  private Runnable meanwhile = () -> {};

  private final KeyService service =
      new KeyService() {
        @Override
        public Made make(Map<String, String> context) {
          requireThere();
          Made made = inner.make(context);
          Runnable once = meanwhile;
          meanwhile = () -> {};
          once.run();
          return made;
        }

        @Override
        public byte[] unwrap(String wrapped, Map<String, String> context) {
          requireThere();
          opened++;
          return inner.unwrap(wrapped, context);
        }
      };

  private void requireThere() {
    if (away) {
      throw new StoreUnavailable("Throttled, on purpose.", null);
    }
  }

  /** The sealer of another process. */
  private Sealer sealer(boolean seals) {
    return new Sealer(KEYS, new DataKeys(store, service, seals, time), new SecureRandom());
  }

  private static String seal(Sealer sealer, Partition partition) {
    return sealer.seal(partition, Purpose.CREDENTIALS, "context", "secret".getBytes(UTF_8));
  }

  private static Optional<String> open(Sealer sealer, Partition partition, String sealed) {
    return sealer
        .open(partition, Purpose.CREDENTIALS, "context", sealed)
        .map(text -> new String(text, UTF_8));
  }

  @Test
  void aSealedTextOpensOnlyForItsTenantModePurposeAndContext() {
    Sealer sealer = sealer(true);
    String sealed = seal(sealer, LIVE);
    assertThat(sealed).matches("2k[\\w-]{54}");
    assertThat(open(sealer(true), LIVE, sealed)).contains("secret");
    for (String other : List.of("t_1#test", "t_2#live")) {
      Partition partition = Partition.parse(other);
      assertThat(open(sealer, partition, sealed)).isEmpty();
      seal(sealer, partition);
      assertThat(open(sealer, partition, sealed)).isEmpty();
    }
    for (Purpose purpose : Purpose.values()) {
      if (purpose.isStored()) {
        assertThat(sealer.open(LIVE, purpose, "context", sealed).isPresent())
            .isEqualTo(purpose == Purpose.CREDENTIALS);
      } else {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> sealer.open(LIVE, purpose, "context", sealed));
      }
    }
    assertThat(sealer.open(LIVE, Purpose.CREDENTIALS, "another", sealed)).isEmpty();
    for (int at = 0; at < sealed.length(); at++) {
      char other = sealed.charAt(at) == 'A' ? 'B' : 'A';
      assertThat(open(sealer, LIVE, sealed.substring(0, at) + other + sealed.substring(at + 1)))
          .isEmpty();
    }
  }

  /** Stored texts open for good: never write this value again. */
  @Test
  void theFormOfTextsSealedUnderADataKeyIsFixed() {
    SecureRandom sevens =
        new SecureRandom() {
          private static final long serialVersionUID = 1;

          @Override
          public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 7);
          }
        };
    KeyService ones = new InMemoryKeyService(new byte[32], sevens);
    Sealer sealer = new Sealer(KEYS, new DataKeys(store, ones, true, time), sevens);
    assertThat(seal(sealer, LIVE))
        .isEqualTo("2ki0M4U7MNBwcHBwcHBwcHBwcHBdqEmhg21lujurgFbPnT68gr6dXY6w");
  }

  @Test
  void textsSealedBeforeDataKeysStillOpen() {
    String before = seal(new Sealer(KEYS, null, new SecureRandom()), LIVE);
    assertThat(before).startsWith("1k");
    assertThat(open(sealer(true), LIVE, before)).contains("secret");
  }

  /** So that all who read it are there before the first that seals. */
  @Test
  void aSealerThatOnlyOpensDataKeysSealsAsBefore() {
    assertThat(seal(sealer(false), LIVE)).startsWith("1k");
    assertThat(open(sealer(false), LIVE, seal(sealer(true), LIVE))).contains("secret");
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void oneOfTwoDataKeysMadeAtOnceIsUsed() {
    Sealer other = sealer(true);
    String[] sealed = new String[1];
    meanwhile = () -> sealed[0] = seal(other, LIVE);
    Sealer sealer = sealer(true);
    String mine = seal(sealer, LIVE);
    assertThat(mine.substring(0, 10)).isEqualTo(sealed[0].substring(0, 10));
    assertThat(open(sealer, LIVE, sealed[0])).contains("secret");
    assertThat(open(other, LIVE, mine)).contains("secret");
    assertThat(open(sealer(true), LIVE, mine)).contains("secret");
  }

  @Test
  void anOpenedKeyIsUsedForFiveMinutes() {
    String sealed = seal(sealer(true), LIVE);
    Sealer sealer = sealer(true);
    for (int times = 0; times < 3; times++) {
      assertThat(open(sealer, LIVE, sealed)).contains("secret");
      seal(sealer, LIVE);
    }
    time.pass(Duration.ofMinutes(5).minusMillis(1));
    assertThat(open(sealer, LIVE, sealed)).contains("secret");
    assertThat(opened).isEqualTo(1);
    time.pass(Duration.ofMillis(1));
    assertThat(open(sealer, LIVE, sealed)).contains("secret");
    assertThat(opened).isEqualTo(2);
  }

  @Test
  void onlyTheMostRecentDataKeysAreKeptOpen() {
    Sealer sealer = sealer(true);
    for (int tenant = 0; tenant <= DataKeys.MOST; tenant++) {
      seal(sealer, Partition.parse("t_%d#live".formatted(tenant)));
    }
    seal(sealer, Partition.parse("t_1#live"));
    assertThat(opened).isZero();
    seal(sealer, Partition.parse("t_0#live"));
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void withoutTheKeyServiceOnlyASealInHandWorks() {
    Sealer sealer = sealer(true);
    Sealer.Seal seal = sealer.sealing(LIVE, Purpose.CREDENTIALS);
    away = true;
    time.pass(Duration.ofMinutes(10));
    String sealed = seal.seal("context", "secret".getBytes(UTF_8));
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> open(sealer, LIVE, sealed));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> sealer.sealing(LIVE, Purpose.RESULT));
    // What is handed out, and what was sealed before, has nothing to do with it.
    assertThat(sealer.seal(Purpose.CURSOR, "context", new byte[1])).startsWith("1c");
    away = false;
    assertThat(open(sealer, LIVE, sealed)).contains("secret");
  }

  @Test
  void withoutThePurposesKeyItsDataKeysAreUnusable() {
    Sealer of =
        new Sealer(
            KEYS.only(Set.of(Purpose.CURSOR)),
            new DataKeys(store, service, true, time),
            new SecureRandom());
    String sealed = seal(sealer(true), LIVE);
    assertThatIllegalStateException().isThrownBy(() -> seal(of, LIVE));
    assertThatIllegalStateException().isThrownBy(() -> open(of, LIVE, sealed));
  }
}
