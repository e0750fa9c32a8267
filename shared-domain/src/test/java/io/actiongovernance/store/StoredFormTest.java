package io.actiongovernance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

/** What tables say of the form in which they hold data. */
final class StoredFormTest {
  /** Stored: it stays where it is. */
  private static final Key KEY = Key.single(Table.STATE, "stored-form");

  private static final String NUMBER = "number";

  private final InMemoryStore store = new InMemoryStore();

  private void holding(int number) {
    store.write(Write.put(Item.at(KEY).with(NUMBER, (long) number).build(), Condition.always()));
  }

  private int number() {
    return store.get(KEY).orElseThrow().number(NUMBER).intValueExact();
  }

  /** Builds have written all lower numbers, in forms that are not read. */
  @Test
  void noFormNumberIsUsedAgain() {
    assertThat(StoredForm.OLDEST).isGreaterThanOrEqualTo(6);
  }

  @Test
  void theWrittenFormIsAmongTheReadForms() {
    assertThat(StoredForm.WRITTEN).isBetween(StoredForm.OLDEST, StoredForm.NEWEST);
  }

  @Test
  void aNewFormIsReadOneReleaseBeforeItIsWritten() {
    assertThat(StoredForm.NEWEST - StoredForm.WRITTEN).isBetween(0, 1);
  }

  @Test
  void tablesWithoutATenantAreAccepted() {
    assertThatCode(() -> StoredForm.require(store)).doesNotThrowAnyException();
  }

  @Test
  void tablesAreMarkedOnceWithTheirForm() {
    StoredForm.mark(store);
    StoredForm.mark(store);
    assertThat(number()).isEqualTo(StoredForm.WRITTEN);
    assertThatCode(() -> StoredForm.require(store)).doesNotThrowAnyException();
  }

  @Test
  void theFormNumberNeverFalls() {
    holding(StoredForm.NEWEST);
    StoredForm.mark(store);
    assertThat(number()).isEqualTo(StoredForm.NEWEST);
  }

  @Test
  void tablesOfAnUnreadableFormAreRefusedUntouched() {
    refused(4, "in form 4, written by an earlier build. This build reads");
    refused(5, "Use a build that reads form 5, or start without these data.");
    refused(
        StoredForm.NEWEST + 1,
        "in form %d, written by a newer build. This build reads".formatted(StoredForm.NEWEST + 1));
  }

  private void refused(int form, String why) {
    holding(form);
    assertThatExceptionOfType(StoredForm.Unreadable.class)
        .isThrownBy(() -> StoredForm.require(store))
        .withMessageContaining(why);
    assertThatExceptionOfType(StoredForm.Unreadable.class).isThrownBy(() -> StoredForm.mark(store));
    assertThat(number()).isEqualTo(form);
    assertThat(store.everything()).hasSize(1);
  }
}
