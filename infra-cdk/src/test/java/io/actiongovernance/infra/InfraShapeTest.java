package io.actiongovernance.infra;

import io.actiongovernance.shape.ModuleShapeContract;
import java.io.IOException;

/** The shape of the CDK app. */
final class InfraShapeTest extends ModuleShapeContract {
  InfraShapeTest() throws IOException {}
}
