package io.actiongovernance.localstack.emulator;

/** Which service the emulator behaves like where LocalStack 4.14.0 differs from AWS. */
public enum Like {
  /** As AWS documents it. */
  AWS,

  /**
   * Custom resources are accepted and ignored, a media type of any kind is not binary, and an alias
   * is never moved. There are no snapshots: a function starts when it is first invoked. Code may be
   * a folder of this machine. What LocalStack does besides, if a file of it changes, is not done.
   */
  LOCALSTACK
}
