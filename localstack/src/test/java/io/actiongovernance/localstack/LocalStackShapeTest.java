package io.actiongovernance.localstack;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.actiongovernance.shape.ModuleShapeContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The shape of the local stack, and of its tests, which have packages of their own. */
final class LocalStackShapeTest extends ModuleShapeContract {
  private static final Path COMPILED = Path.of("target");

  LocalStackShapeTest() throws IOException {}

  @Test
  void packagesOfTestsDependOnEachOtherInNoCircle() {
    assertNoCircleAmongPackagesOf(
        new ClassFileImporter()
            .importPaths(COMPILED.resolve("classes"), COMPILED.resolve("test-classes")));
  }
}
