package io.actiongovernance.infra;

import java.nio.file.Path;

/** An environment that is deployed, for the commands that work on what is there. */
record DeployedEnvironment(Environment environment, DeploymentRecord lock) {
  /**
   * As its file and its lock say it.
   *
   * @param folder of both
   * @param notDeployed what of one that has no lock: {@code is not restored}
   * @param onEmulator the sentence for one that is on an emulator
   * @throws IllegalArgumentException in a sentence, if it is not deployed, or on an emulator
   */
  static DeployedEnvironment read(Path folder, String name, String notDeployed, String onEmulator) {
    Environment environment = EnvironmentFile.read(folder, name);
    if (environment.emulator() != null) {
      throw new IllegalArgumentException(onEmulator);
    }
    DeploymentRecord lock = DeploymentRecord.read(folder, name);
    if (lock == null) {
      throw new IllegalArgumentException(
          "There is no %s: what infra-cdk/deploy has not deployed %s."
              .formatted(DeploymentRecord.file(folder, name), notDeployed));
    }
    return new DeployedEnvironment(environment, lock);
  }
}
