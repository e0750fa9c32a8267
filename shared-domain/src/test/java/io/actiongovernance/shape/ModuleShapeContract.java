package io.actiongovernance.shape;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What every module keeps to, so that its parts can be read one after the other. A module's test of
 * it runs in the module's folder.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ModuleShapeContract {
  private final ModuleShape shape;

  protected ModuleShapeContract() throws IOException {
    this.shape = ModuleShape.of(Path.of(""));
  }

  @Test
  void packagesDependOnEachOtherInNoCircle() {
    assertNoCircleAmongPackagesOf(shape.classes());
    assertThat(shape.circlesAmongPackages()).isEmpty();
  }

  /** A package is a slice of its own, apart from those that its name begins. */
  protected static void assertNoCircleAmongPackagesOf(JavaClasses classes) {
    slices().matching("(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void atMostFiveFilesOfAPackageDependOnEachOtherInACircle() {
    assertThat(shape.circlesWithinPackages()).allMatch(circle -> circle.size() <= 5);
  }

  @Test
  void aConstructorTakesAtMostSixCollaborators() {
    assertThat(shape.wideConstructors()).isEmpty();
  }
}
