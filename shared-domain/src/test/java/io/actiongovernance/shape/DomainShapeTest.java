package io.actiongovernance.shape;

import java.io.IOException;

/** The shape of the domain. */
final class DomainShapeTest extends ModuleShapeContract {
  DomainShapeTest() throws IOException {}
}
