package io.actiongovernance.functions.egress;

/** The bytes of an answer, as they came. Immutable, so long as nobody changes them. */
public final class WholeBody {
  private final byte[] bytes;
  private final boolean cut;

  WholeBody(byte[] bytes, boolean cut) {
    this.bytes = bytes;
    this.cut = cut;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** Whether there was more than is read. */
  public boolean cut() {
    return cut;
  }
}
