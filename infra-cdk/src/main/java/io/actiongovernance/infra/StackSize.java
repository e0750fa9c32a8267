package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import software.amazon.awscdk.cxapi.CloudAssembly;

/**
 * The size of a stack. CloudFormation limits a stack to 500 resources, and its template to 1 MB.
 *
 * @param stack the stack's name
 * @param bytes the size of its template
 */
record StackSize(String stack, int resources, long bytes) {
  /** The most resources of a stack. CloudFormation permits 500, and the rest is room to grow. */
  private static final int MOST = 300;

  /** The sizes of the synthesised stacks, in the order of deployment. */
  static List<StackSize> of(CloudAssembly assembly) {
    return assembly.getStacks().stream()
        .map(made -> of(made.getStackName(), Path.of(made.getTemplateFullPath())))
        .toList();
  }

  private static StackSize of(String stack, Path template) {
    try {
      return new StackSize(stack, resources(template).size(), Files.size(template));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The definitions of a template's resources. */
  static JsonNode resources(Path template) {
    try {
      return Json.read(Files.readString(template)).path("Resources");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line for the deployer. */
  String line() {
    return String.format(
        Locale.ROOT,
        "Stack %s: %d resources, %,d KB.",
        stack,
        resources,
        Math.ceilDiv(bytes, 1000));
  }

  /**
   * Refuses a stack that has no room to grow.
   *
   * @throws IllegalStateException if it has too many resources
   */
  void require() {
    if (resources > MOST) {
      throw new IllegalStateException(
          ("The stack %s has %s resources, but may have at most %s. Move some of them to another"
                  + " stack.")
              .formatted(stack, resources, MOST));
    }
  }
}
