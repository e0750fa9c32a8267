package io.actiongovernance.functions;

import io.actiongovernance.shape.ModuleShapeContract;
import java.io.IOException;

/** The shape of the functions: no package depends on another in a circle. */
final class FunctionsShapeTest extends ModuleShapeContract {
  FunctionsShapeTest() throws IOException {}
}
