package io.actiongovernance.localstack.emulator;

/** That something in a template cannot be, or is not known here. */
final class Refused extends RuntimeException {
  Refused(String message) {
    super(message);
  }
}
