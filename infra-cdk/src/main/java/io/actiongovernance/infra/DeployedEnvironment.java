package io.actiongovernance.infra;

import java.nio.file.Path;

/** A deployed environment, for the commands that work on it. */
record DeployedEnvironment(Environment environment, DeploymentRecord lock) {
  /**
   * Reads an environment's file and its lock.
   *
   * @param folder the folder of both files
   * @param notDeployed completes the sentence about an environment without a lock, such as {@code
   *     is not restored}
   * @param onEmulator the sentence about an environment on an emulator
   * @throws IllegalArgumentException with a sentence, if the environment is not deployed or is on
   *     an emulator
   */
  static DeployedEnvironment read(Path folder, String name, String notDeployed, String onEmulator) {
    Environment environment = EnvironmentFile.read(folder, name);
    if (environment.emulator() != null) {
      throw new IllegalArgumentException(onEmulator);
    }
    DeploymentRecord lock = DeploymentRecord.read(folder, name);
    if (lock == null) {
      throw new IllegalArgumentException(
          "There is no %s: an environment that infra-cdk/deploy has not deployed %s."
              .formatted(DeploymentRecord.file(folder, name), notDeployed));
    }
    return new DeployedEnvironment(environment, lock);
  }
}
